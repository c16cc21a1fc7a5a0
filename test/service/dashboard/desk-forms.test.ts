import { expect, test } from "vitest";
import sharp from "sharp";
import type { Asset } from "../../../src/service/store/assets.ts";
import { clientOf, fileForm, openService } from "../open-service.ts";
import { inviteAs } from "../people/signed-in-as.ts";
import { signIn } from "./signed-in.ts";

async function open(limits = {}) {
  const service = openService({ limits });
  const send = clientOf(service, { routeSet: "a" });
  await send("POST", "/api/blogs", { json: { name: "News", slug: "news" } });
  const read = async () => (await send("GET", "/api/blogs/news/posts?include=content")).items[0];
  return { service, send, read, ...(await signIn(service)) };
}

const PATH = "/blogs/news/posts/one";

/** What a browser submits from a text area: it normalizes line ends, and sends each as CRLF. */
function typed(text: string): string {
  return text.replaceAll(/\r\n?|\n/g, "\r\n");
}

const FENCE = "```";
const WRITINGS: Readonly<Record<string, string>> = {
  "headings of both kinds": "Setext\n======\n\nSecond\n---\n\n# ATX #\n",
  emphasis: "_em_ *em* __strong__ **strong** ***both*** ~~gone~~\n",
  "three kinds of bullets": "* star\n\n+ plus\n\n- minus\n",
  "a loose list": "1. one\n\n2. two\n\n   more\n",
  "numbers as the author wrote them": "3) three\n3) three again\n",
  "a task list": "- [ ] open\n- [x] done\n",
  "a nested list with tabs": "- one\n\t- two\n\t\t- three\n",
  "an aligned table": "| a | b |\n|:--|--:|\n| 1 | 2 |\n",
  "a ragged table": "a|b\n-|-\n1|2\n",
  footnotes: "Text[^1].\n\n[^1]: Note\n    with more\n",
  "a fence with metadata": `${FENCE}js title="a.js" {1,3}\nlet a;\n${FENCE}\n`,
  "tildes around code": "~~~~\n~~~\n~~~~\n",
  "indented code": "    code\n\n\ttab\n",
  HTML: '<div align="center">\n\n<img src=x width=10>\n<br/>\n</div>\n',
  comments: "<!-- note\nto self -->\ntext\n",
  MDX: "import A from './a';\n\n<A prop={1 + 1}>*b*</A>\n\n{/* c */}\n",
  "reference links": "[a][1] and ![b][pic]\n\n[1]: <https://x.example/a b> 'T'\n[pic]: ./p.png\n",
  "bare URLs": "https://x.example/a_b_c and <mailto:a@b.example>\n",
  "hard breaks": "one  \ntwo\\\nthree\n",
  "quotes and alerts": "> [!NOTE]\n> text\nlazy\n>> deeper\n",
  directives: ":::note{.a}\ntext\n:::\n\n:abbr[HTML]{title=x}\n",
  math: "$a_1 * b$ and\n\n$$\nx < y\n$$\n",
  escapes: "\\* \\_ \\# &amp; &copy; 1\\. <3 {#id}\n",
  "three kinds of rules": "***\n\n---\n\n_ _ _\n",
  "CRLF line ends": "one\r\n\r\ntwo\r\n",
  "mixed line ends": "one\r\ntwo\nthree\r\n",
  "no final line end": "one\ntwo",
  "leading and trailing blank lines": "\n\n  text  \n\n\n",
  "non-breaking spaces and emoji": "a\u00A0b\u2003c 👩‍🚀 e\u0301\n",
  "front matter in the text": "---\ntitle: x # y\n---\n\ntext\n",
};

test.for(Object.entries(WRITINGS))("saving keeps %s exactly, and changes only what was typed", async ([, markdown]) => {
  const { send, read, get, post } = await open();
  await send("POST", "/api/blogs/news/posts", { json: { slug: "one", title: "One", markdown, tags: ["a"] } });
  const before = await read();
  expect((await get(`${PATH}/edit`)).status).toBe(200);
  await post(PATH, {
    title: "One",
    kind: "markdown",
    text: typed(markdown),
    tags: "a",
    status: "published",
    version: "1",
  });
  expect(await read()).toEqual(before);
  const edited = { title: "One", kind: "markdown", text: `X${typed(markdown)}`, tags: "a", status: "published" };
  await post(PATH, { ...edited, version: "1" });
  const after = await read();
  expect(after?.["markdown"]).toBe(`X${markdown}`);
  expect(after).toMatchObject({ version: 2, tags: ["a"], publishedAt: before?.["publishedAt"] });
});

function copyOf(html: string): string {
  return /name="copy" value="([^"]+)"/.exec(html)?.[1] ?? "";
}

test("an untouched field keeps its value exactly, and a tag may contain a comma", async () => {
  const { send, read, get, post } = await open();
  const given = { tags: ["Portland, Oregon", "paper"], excerpt: " indented\n", author: "Ada " };
  await send("POST", "/api/blogs/news/posts", { json: { slug: "one", title: "One", markdown: "text", ...given } });
  expect(await (await get(`${PATH}/edit`)).text()).toContain('value="&quot;Portland, Oregon&quot;, paper"');
  const form = { kind: "markdown", text: "text", excerpt: " indented\r\n", author: "Ada " };
  await post(PATH, { ...form, title: "Two", tags: '"Portland, Oregon", paper', status: "published", version: "1" });
  expect(await read()).toMatchObject({ title: "Two", ...given });
  const tags = '"Portland, Oregon", "Salem, Oregon"';
  await post(PATH, { ...form, title: "Two", tags, status: "published", version: "2" });
  expect((await read())?.["tags"]).toEqual(["Portland, Oregon", "Salem, Oregon"]);
});

test("a draft can be published without scripts", async () => {
  const { send, read, get, post } = await open();
  const draft = { slug: "one", title: "One", markdown: "old", status: "draft" };
  await send("POST", "/api/blogs/news/posts", { json: draft });
  const buttons = (await (await get(`${PATH}/edit`)).text()).match(/(?<=<button type="submit"[^>]*>)[^<]+/g);
  expect(buttons?.slice(-2)).toEqual(["Save", "Publish"]);
  const typed = { title: "One", kind: "markdown", text: "new", status: "draft", version: "1" };
  await post(PATH, { ...typed, publish: "yes" });
  expect(await read()).toMatchObject({ status: "published", markdown: "new" });
});

test("changes, merging, unsaved text, and history work without scripts", async () => {
  const { send, read, get, post } = await open();
  await send("POST", "/api/blogs/news/posts", { json: { slug: "one", title: "One", markdown: "a\nb\nc\n" } });
  const mine = { title: "One", kind: "markdown", text: "A\nb\nc\n", status: "published", version: "1" };
  const changes = await (await post(`${PATH}/edit/changes`, mine)).text();
  expect(changes).toContain("<del>− a\n</del><ins>+ A\n</ins>");
  await post(`${PATH}/edit/autosave`, mine);
  const kept = await (await get(`${PATH}/edit`)).text();
  expect(kept).toContain("You have unsaved changes from");
  const shown = { ...mine, copy: copyOf(kept) };
  await send("PATCH", "/api/blogs/news/posts/one", { json: { markdown: "a\nb\nC\n", tags: ["new"] } });
  const late = await post(PATH, shown);
  const both = await late.text();
  expect([late.status, both.includes('name="base" value="1"')]).toEqual([412, true]);
  const again = { ...shown, copy: copyOf(both), version: "2", base: "1" };
  const merged = await (await post(`${PATH}/edit/merge`, again)).text();
  expect(copyOf(merged)).toBe(copyOf(both));
  expect(merged).toContain("A\nb\nC\n</textarea>");
  expect(merged).toContain('value="new"');
  const discarded = await post(`${PATH}/edit/discard`, again);
  expect(discarded.headers.get("Location")).toBe(`${PATH}/edit`);
  expect(await (await get(`${PATH}/edit`)).text()).not.toContain("You have unsaved changes");
  expect((await read())?.["markdown"]).toBe("a\nb\nC\n");
  const history = await (await get(`${PATH}/history`)).text();
  expect(history).toContain(`${PATH}/history/1`);
  expect(await (await get(`${PATH}/history/1`)).text()).toContain("<ins>+ C\n</ins>");
});

test("a post with a future publish date is scheduled, and an invalid date is rejected", async () => {
  const { read, get, post } = await open();
  const fields = { title: "One", kind: "markdown", text: "x", status: "published" };
  const wrong = await post("/blogs/news/posts", { ...fields, publishedAt: "soon" });
  expect(wrong.status).toBe(422);
  await post("/blogs/news/posts", { ...fields, publishedAt: "2040-01-02T03:04" });
  expect((await read())?.["publishedAt"]).toBe("2040-01-02T03:04:00.000Z");
  expect(await (await get("/blogs/news")).text()).toContain(">scheduled<");
});

test("a picture that is too large or not an image is rejected with a message", async () => {
  const { upload } = await open({ maxImagePixels: 99 });
  const bytes = await sharp({ create: { width: 10, height: 10, channels: 3, background: "red" } })
    .png()
    .toBuffer();
  const large = await upload("/blogs/news/pictures", [["a.png", new Uint8Array(bytes)]], {});
  const text = await upload("/blogs/news/pictures", [["a.txt", "text"]], {});
  expect([large.status, text.status]).toEqual([422, 415]);
  expect(await large.text()).toContain("10 × 10 pixels; the maximum is 99 in total");
  expect(await text.text()).toContain("only images are accepted");
});

test("a picture that browsers don't show is rejected with the remedy, and isn't offered from the library", async () => {
  const { send, get, upload } = await open();
  const heic = new TextEncoder().encode(`\0\0\0\u0018ftypheic\0\0\0\0mif1heic${"\0".repeat(200)}`);
  const photo = [["IMG_1.heic", heic]] as const;
  const refused = await upload("/blogs/news/pictures", photo, {});
  expect([refused.status, await refused.text()]).toEqual([
    415,
    expect.stringMatching(
      /IMG_1\.heic is image\/hei[cf], which many browsers .* Save it as JPEG, PNG, or WebP first\./,
    ),
  ]);
  expect((await send("POST", "/api/library", { form: fileForm(...photo) })).status).toBeLessThan(300);
  expect(JSON.parse(await (await get("/blogs/news/pictures")).text())).toEqual({ items: [] });
});

test("the picker offers each picture of a site once, and finds those behind many widths and formats", async () => {
  const { send, get } = await open();
  const paint = sharp({ create: { width: 32, height: 24, channels: 3, background: "red" } });
  const upload = async (name: string, width: number) => {
    const { data } = await paint
      .clone()
      .resize(width)
      .jpeg()
      .withExif({ IFD0: { Copyright: name } })
      .toBuffer({ resolveWithObject: true });
    await send("POST", "/api/library", { form: fileForm([name, new Uint8Array(data)]) });
  };
  await upload("my-vacation.jpg", 9);
  await upload("my-vacation.jpeg", 8);
  await upload("loaf-4oSG0l6o.k3v9x2ab.0000000000000001.jpg", 32);
  for (let width = 1; width <= 30; width++) {
    const hash = String(width).padStart(16, "0");
    await upload(`loaf-4oSG0l6o_Z${1000 + width}.k3v9x2ab.${hash}.webp`, width);
    await upload(`roll_-Q9aB3x_Z_${1000 + width}.k3v9x2ab.${hash}.jpg`, width);
  }
  const { items }: { items: readonly Asset[] } = JSON.parse(await (await get("/blogs/news/pictures")).text());
  expect(items.map(({ name, width }) => [name, width])).toEqual([
    ["roll_-Q9aB3x_Z_1030.jpg", 30],
    ["loaf-4oSG0l6o.jpg", 32],
    ["my-vacation.jpeg", 8],
    ["my-vacation.jpg", 9],
  ]);
  const found = await (await get("/search?q=loaf")).text();
  expect(found.match(/loaf-4oSG0l6o[^<]*(?= <)/g)).toEqual(["loaf-4oSG0l6o.jpg"]);
});

test("a viewer can read earlier versions, but neither open the editor nor submit anything to it", async () => {
  const { service, send } = await open();
  await send("POST", "/api/blogs/news/posts", { json: { slug: "one", title: "One", markdown: "x" } });
  const viewer = await inviteAs(service, "viewer");
  const paths = [`${PATH}/edit`, `${PATH}/edit/live`, "/blogs/news/new", "/blogs/news/pictures"];
  expect((await viewer.get(`${PATH}/history`)).status).toBe(200);
  for (const path of paths) expect((await viewer.get(path)).status).toBe(403);
  for (const path of [PATH, `${PATH}/edit/autosave`, `${PATH}/edit/render`, `${PATH}/history/1`]) {
    expect((await viewer.post(path, { title: "Two", kind: "markdown", text: "y", version: "1" })).status).toBe(403);
  }
});

test("a form that one person opened and another one submits changes nothing", async () => {
  const { service, send, read, get, post } = await open();
  await send("POST", "/api/blogs/news/posts", { json: { slug: "one", title: "One", markdown: "text\n" } });
  const page = await (await get(`${PATH}/edit`)).text();
  const writer = /name="writer" value="([^"]+)"/.exec(page)?.[1] ?? "";
  const fields = { title: "One", text: "mine\n", kind: "markdown", version: "1", writer };
  const editor = await inviteAs(service, "editor");
  for (const address of [PATH, `${PATH}/edit/autosave`, `${PATH}/edit/discard`]) {
    const refused = await editor.post(address, fields);
    expect(refused.status).toBe(403);
    expect(await refused.text()).toContain("someone else wrote this text");
  }
  expect((await read())?.["markdown"]).toBe("text\n");
  expect((await post(PATH, fields)).status).toBe(303);
  expect((await read())?.["markdown"]).toBe("mine\n");
});

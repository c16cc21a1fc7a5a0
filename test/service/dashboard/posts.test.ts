import { defaultTreeAdapter, parse, type DefaultTreeAdapterTypes } from "parse5";
import { expect, test } from "vitest";
import type { ServiceOptions } from "../../../src/service.ts";
import { clientOf, openService, visit } from "../open-service.ts";
import { signIn } from "./signed-in.ts";

async function open(options: ServiceOptions = {}) {
  const service = openService(options);
  const send = clientOf(service, { routeSet: "a" });
  await send("POST", "/api/blogs", { json: { name: "News", slug: "news" } });
  return { service, send, ...(await signIn(service)) };
}

const EMPTY = { kind: "markdown", excerpt: "", author: "", tags: "", coverImage: "", canonicalUrl: "" };

test("a blog can be created and edited, and another one with its slug doesn't overwrite it", async () => {
  const { send, get, post } = await open();
  const made = await post("/blogs", { name: "Kitchen", slug: "", description: "Food", siteId: "", language: "" });
  const taken = await post("/blogs", { name: "Other", slug: "kitchen", description: "", siteId: "" });
  const version = versionIn(await (await get("/blogs/kitchen")).text());
  await post("/blogs/kitchen", { name: "The kitchen", description: "All food", siteId: "", language: "de", version });
  const { items } = await send("GET", "/api/blogs");
  expect(made.headers.get("Location")).toBe("/blogs/kitchen?notice=blog-created");
  expect(taken.status).toBe(409);
  expect(await taken.text()).toContain('value="Other"');
  expect(items[0]).toMatchObject({ slug: "kitchen", name: "The kitchen", description: "All food", language: "de" });
});

/** The version that a form is based on. */
function versionIn(html: string): string {
  return /name="version" value="(\d+)"/.exec(html)?.[1] ?? "";
}

test("two editors of a blog's details lose nothing: the second sees what the first saved", async () => {
  let now = new Date("2026-03-01T10:00:00Z");
  const { send, get, post } = await open({ now: () => now });
  const [first, second] = [await (await get("/blogs/news")).text(), await (await get("/blogs/news")).text()];
  now = new Date("2026-03-01T10:00:01Z");
  const details = { name: "News", siteId: "", language: "" };
  await post("/blogs/news", { ...details, description: "Of the first", version: versionIn(first) });
  const answer = await post("/blogs/news", { ...details, description: "Of the second", version: versionIn(second) });
  const page = await answer.text();
  expect(answer.status).toBe(412);
  expect(page).toContain("Someone else changed this in the meantime.");
  expect(page).toContain("Saved meanwhile: <strong>Of the first</strong>");
  expect(page).toContain("Of the second</textarea>");
  expect((await send("GET", "/api/blogs")).items[0]).toMatchObject({ description: "Of the first" });
  await post("/blogs/news", { ...details, description: "Of both", version: versionIn(page) });
  expect((await send("GET", "/api/blogs")).items[0]).toMatchObject({ description: "Of both" });
});

test.for([
  { kind: "markdown", text: "# One\n\nText & more" },
  { kind: "html", text: "<p>Text</p>" },
] as const)("a post can be written in $kind, published, unpublished, and deleted", async ({ kind, text }) => {
  const { service, send, post } = await open();
  const made = await post("/blogs/news/posts", {
    ...EMPTY,
    slug: "",
    title: "First post",
    kind,
    text,
    tags: "a, b",
    status: "draft",
  });
  const path = "/blogs/news/posts/first-post";
  const hidden = await visit(service, "/blog/news/first-post");
  await post(`${path}/status`, { status: "published", version: "1" });
  const shown = await visit(service, "/blog/news/first-post");
  const [listed] = (await send("GET", "/api/blogs/news/posts?include=content")).items;
  await post(`${path}/status`, { status: "draft", version: "2" });
  const again = await visit(service, "/blog/news/first-post");
  await post(`${path}/delete`, { version: "3" });
  expect(made.headers.get("Location")).toBe(`${path}?notice=post-created`);
  expect(listed).toMatchObject({ title: "First post", tags: ["a", "b"], [kind]: text });
  expect([hidden.status, shown.status, again.status]).toEqual([404, 200, 404]);
  expect((await send("GET", "/api/blogs/news/posts")).items).toEqual([]);
});

test("a post with a later publish date is said to be scheduled, and not to be published", async () => {
  const { send, get, post } = await open();
  const path = "/blogs/news/posts/later";
  const scheduled = { slug: "later", title: "Later", markdown: "Text", publishedAt: "2999-01-01T00:00:00Z" };
  await send("POST", "/api/blogs/news/posts", { json: { ...scheduled, status: "draft" } });
  const made = await post(`${path}/status`, { status: "published", version: "1" });
  const page = await (await get(made.headers.get("Location") ?? "")).text();
  expect(page).toContain("Post scheduled. Readers see it from its publish date on.");
  expect(page).not.toContain("Open the post");
  expect(page).toContain("Create preview link");
});

test("a post that someone changed meanwhile isn't published or deleted, and the page says why", async () => {
  const { send, get, post } = await open();
  const path = "/blogs/news/posts/one";
  await send("POST", "/api/blogs/news/posts", {
    json: { slug: "one", title: "One", markdown: "Text", status: "draft" },
  });
  await send("PATCH", "/api/blogs/news/posts/one", { json: { markdown: "Notes" } });
  const answers = [
    await post(`${path}/status`, { status: "published", version: "1" }),
    await post(`${path}/delete`, { version: "1" }),
  ];
  for (const answer of answers) {
    const page = await answer.text();
    expect(answer.status).toBe(412);
    expect(page).toContain("Someone else changed this after you opened it, so nothing was done.");
    expect(page).not.toContain("has version");
  }
  expect(await (await get(path)).text()).toContain("draft");
});

test("two editors of one post lose nothing: the second sees both versions", async () => {
  const { send, get, post } = await open();
  const path = "/blogs/news/posts/one";
  await send("POST", "/api/blogs/news/posts", { json: { slug: "one", title: "One", markdown: "Old text" } });
  const form = await (await get(`${path}/edit`)).text();
  expect(form).toContain('name="version" value="1"');
  const fields = { ...EMPTY, title: "One", status: "published", version: "1" };
  await post(path, { ...fields, text: "Text of the first" });
  const late = await post(path, { ...fields, text: "Text of the second", title: "Uno" });
  const text = await late.text();
  expect(late.status).toBe(412);
  expect(text).toContain("Text of the second</textarea>");
  expect(text).toContain("Text of the first");
  expect(text).toContain('value="Uno"');
  expect(text).toContain('name="version" value="2"');
  await post(path, { ...fields, text: "Text of both", version: "2" });
  const [saved] = (await send("GET", "/api/blogs/news/posts?include=content")).items;
  expect(saved).toMatchObject({ markdown: "Text of both", version: 3 });
});

test("the form of a post keeps its text exactly, including leading empty lines", async () => {
  const { send, get } = await open();
  const markdown = "\n\n  # One & <two>\n\n</textarea>\n";
  await send("POST", "/api/blogs/news/posts", { json: { slug: "one", title: "One", markdown } });
  const document = parse(await (await get("/blogs/news/posts/one/edit")).text());
  expect(findTextArea(document, "text")).toBe(markdown);
});

test("a post that changed in the meantime isn't deleted", async () => {
  const { send, post } = await open();
  await send("POST", "/api/blogs/news/posts", { json: { slug: "one", title: "One", markdown: "Text" } });
  await send("PATCH", "/api/blogs/news/posts/one", { json: { title: "Two" } });
  const answer = await post("/blogs/news/posts/one/delete", { version: "1" });
  expect(answer.status).toBe(412);
  expect((await send("GET", "/api/blogs/news/posts")).items).toHaveLength(1);
});

test("a slug that is taken in the blog shows an error, and the post isn't lost", async () => {
  const { send, post } = await open();
  await send("POST", "/api/blogs/news/posts", { json: { slug: "one", title: "One", markdown: "Text" } });
  const fields = { ...EMPTY, slug: "one", title: "Other", text: "Long text", status: "draft" };
  const answer = await post("/blogs/news/posts", fields);
  const text = await answer.text();
  expect(answer.status).toBe(409);
  expect(text).toContain("This blog already has a post");
  expect(text).toContain("Long text</textarea>");
});

test("a slug that comes from a title gets a number if another post has it, and a repeated form creates no second post", async () => {
  const { send, post } = await open();
  await send("POST", "/api/blogs/news/posts", { json: { slug: "rye", title: "Rye", markdown: "Text" } });
  const fields = { ...EMPTY, title: "Rye", text: "Another bread", status: "draft" };
  const [first, repeated] = [await post("/blogs/news/posts", fields), await post("/blogs/news/posts", fields)];
  expect([first.status, repeated.status]).toEqual([303, 303]);
  const { items } = await send("GET", "/api/blogs/news/posts");
  expect(items.map(({ slug }) => slug).toSorted()).toEqual(["rye", "rye-2"]);
});

test("writing another post starts with an empty form, which offers the unsaved text", async () => {
  const { get, post } = await open();
  await post("/blogs/news/new/autosave", { ...EMPTY, title: "Unsaved", text: "Not yet", status: "draft" });
  const blog = await (await get("/blogs/news")).text();
  const [, path = ""] = /href="([^"]+)"[^>]*>Write a post</.exec(blog) ?? [];
  const form = await (await get(path)).text();
  expect(form).not.toContain("Not yet</textarea>");
  const [, unsaved = ""] = /You have unsaved text:[^"]*"([^"]+)"/.exec(form) ?? [];
  expect(await (await get(unsaved)).text()).toContain("Not yet</textarea>");
});

test("the preview of a post or draft shows it as readers would see it, without a session", async () => {
  const { send, get } = await open();
  const html = "<p>Draft</p><script>parent.document</script>";
  await send("POST", "/api/blogs/news/posts", { json: { slug: "one", title: "One", html, status: "draft" } });
  const preview = await get("/blogs/news/posts/one/preview");
  expect(preview.headers.get("Content-Security-Policy")).toBe("sandbox allow-scripts; frame-ancestors 'self'");
  expect(await preview.text()).toContain(html);
  const page = await (await get("/blogs/news/posts/one")).text();
  expect(page).toContain('sandbox="allow-scripts"');
  expect(page).not.toContain("<script>parent");
});

test("the preview of a Markdown post shows it rendered, even before publication", async () => {
  const { get, post } = await open();
  const text = "## Rye\r\n\r\n- [ ] bake\r\n\r\n<img src=x onerror=alert(1)>";
  await post("/blogs/news/posts", { ...EMPTY, slug: "rye", title: "Rye", text, status: "draft" });
  const preview = await (await get("/blogs/news/posts/rye/preview")).text();
  expect(preview).toContain('<h2 id="rye">Rye</h2>');
  expect(preview).toContain('<input type="checkbox" disabled> bake');
  expect(preview).toContain('<img src="x">');
  const page = await (await get("/blogs/news/posts/rye")).text();
  expect(page).toContain("<dt>Written in</dt><dd>Markdown</dd>");
});

/** What a browser would show in a field. */
function findTextArea(node: DefaultTreeAdapterTypes.Node, name: string): string | undefined {
  if (!("childNodes" in node)) return undefined;
  if (defaultTreeAdapter.isElementNode(node) && node.tagName === "textarea") {
    const isWanted = node.attrs.some((attribute) => attribute.name === "name" && attribute.value === name);
    const [text] = node.childNodes;
    if (isWanted && text !== undefined && "value" in text) return text.value;
  }
  for (const child of node.childNodes) {
    const found = findTextArea(child, name);
    if (found !== undefined) return found;
  }
  return undefined;
}

test("a post that a project publishes from a file says so, on its page and in the editor", async () => {
  const { send, get } = await open();
  const marker = '<span hidden data-imprint-post="v2:abcd:0123456789abcdef:0123456789ab"></span>';
  await send("POST", "/api/blogs/news/posts", { json: { slug: "ink", title: "Ink", html: `<p>Ink</p>${marker}` } });
  await send("POST", "/api/blogs/news/posts", { json: { slug: "own", title: "Own", html: "<p>Written here</p>" } });
  const texts = async (slug: string) =>
    Promise.all(["", "/edit"].map(async (part) => (await get(`/blogs/news/posts/${slug}${part}`)).text()));
  for (const text of await texts("ink")) expect(text).toContain("A project publishes this post from a Markdown file.");
  for (const text of await texts("own")) expect(text).not.toContain("from a Markdown file");
});

import sharp from "sharp";
import { expect, it } from "vitest";
import { clientOf, fileForm, openService, visit } from "../open-service.ts";

interface OpenBlogOptions {
  /** HTML of the site's home page. */
  readonly home?: string;
}

async function openBlog({ home = '<!doctype html><html lang="en"><title>Home</title>' }: OpenBlogOptions = {}) {
  const service = openService();
  const send = clientOf(service, { routeSet: "a" });
  await send("PUT", "/api/pages/index", { json: { html: home } });
  const site = await send("POST", "/api/sites", { json: { name: "Tern", homeSlug: "index" } });
  await send("POST", "/api/blogs", { json: { name: "Notes", slug: "notes", siteId: site.body["id"] } });
  return {
    service,
    send,
    async post(slug: string, fields: Readonly<Record<string, unknown>> = {}) {
      const json = { slug, title: `On ${slug}`, html: "<p>Text</p>", ...fields };
      const { status, text } = await send("POST", "/api/blogs/notes/posts", { json });
      if (status !== 201) throw new Error(text);
    },
    async read(path = "") {
      return await (await visit(service, `/blog/notes${path}`)).text();
    },
  };
}

const PUBLISHED = { publishedAt: "2026-03-12T23:30:00Z" };

it("dates and reading times are in the language of the site's home page", async () => {
  const { post, read } = await openBlog({ home: '<!doctype html><html class="a" lang="de"><title>Start</title>' });
  await post("tinte", { ...PUBLISHED, html: `<p>${"Wort ".repeat(630)}</p>` });
  for (const html of [await read(), await read("/tinte")]) {
    expect(html).toContain('<html lang="de">');
    expect(html).toContain('<time datetime="2026-03-12T23:30:00.000Z">12. März 2026</time>');
    expect(html).toContain("<span>3 Min.</span>");
  }
});

it.each(["a", "b"] as const)("a blog has the language that it was given in route set %s", async (routeSet) => {
  const { service, post, read } = await openBlog();
  const send = clientOf(service, { routeSet });
  const { body } = await send("POST", "/api/blogs", { json: { name: "Notes", slug: "notes", language: "pt-br" } });
  expect(body).toMatchObject({ slug: "notes", language: "pt-BR" });
  await post("tinta", PUBLISHED);
  for (const html of [await read(), await read("/tinta")]) {
    expect(html).toContain('<html lang="pt-BR">');
    expect(html).toContain("12 de março de 2026</time>");
  }
  const again = await send("POST", "/api/blogs", { json: { name: "Notes", slug: "notes" } });
  expect(again.body).toMatchObject({ language: "pt-BR" });
  await send("POST", "/api/blogs", { json: { name: "Notes", slug: "notes", language: null } });
  expect(await read()).toContain('<html lang="en">');
});

it("a blog with an invalid language is rejected", async () => {
  const { send } = await openBlog();
  const { status, body } = await send("POST", "/api/blogs", { json: { name: "Notes", language: "not a language" } });
  expect([status, body.code]).toEqual([422, "invalid_body"]);
  expect(body).toMatchObject({ errors: [{ pointer: "/body/language" }] });
});

it("a post in another language than its site is shown in its own language", async () => {
  const { post, read } = await openBlog();
  await post("plume", { ...PUBLISHED, html: '<div lang="fr"><p>Texte</p></div>' });
  const own = await read("/plume");
  expect(own).toContain('<html lang="fr">');
  expect(own).toContain("12 mars 2026</time>");
  const list = await read();
  expect(list).toContain('<html lang="en">');
  expect(list).toContain('<h2 lang="fr">');
  expect(list).toContain("March 12, 2026</time>");
});

it.each([
  ["no home page sets it", "<!doctype html><title>Home</title>"],
  ["it is invalid", '<!doctype html><html lang="&quot;><script>"><title>Home</title>'],
])("if %s, only the service's own text is marked as English", async (_, home) => {
  const { post, read } = await openBlog({ home });
  await post("ink", PUBLISHED);
  const html = await read("/ink");
  expect(html).toContain('<html lang="en">');
  expect(html).toContain('<div lang="" dir="auto">');
  expect(html).toContain('<time lang="en" datetime="2026-03-12T23:30:00.000Z">March 12, 2026</time>');
});

it.each([
  ["words", "<p>word </p>".repeat(1050), "5 min read"],
  ["Japanese characters", `<p>${"日本語の文章".repeat(250)}</p>`, "3 min read"],
  ["nothing", "", "1 min read"],
])("the reading time of %s is counted by its words or characters", async (_, html, expected) => {
  const { post, read } = await openBlog();
  await post("ink", { html });
  expect(await read("/ink")).toContain(`<span>${expected}</span>`);
  expect(await read()).toContain(`<span>${expected}</span>`);
});

it("the reading time is updated with the text", async () => {
  const { post, read, send } = await openBlog();
  await post("ink");
  expect(await read()).toContain("1 min read");
  await send("PATCH", "/api/blogs/notes/posts/ink", { json: { markdown: "word ".repeat(2100) } });
  expect(await read()).toContain("10 min read");
});

it("a cover in the library has width and height, and is lazy-loaded only in the list", async () => {
  const { post, read, send } = await openBlog();
  const png = await sharp({ create: { width: 240, height: 120, channels: 3, background: "#0d7c74" } })
    .png()
    .toBuffer();
  const upload = await send("POST", "/api/library", { form: fileForm(["cover.png", new Uint8Array(png)]) });
  const url = String(upload.body["url"]);
  await send("PATCH", `/api/library/${String(upload.body["id"])}`, { json: { alt: 'A "quay"' } });
  await post("ink", { coverImage: url });
  const image = `<img src="${new URL(url).pathname}" width="240" height="120"`;
  expect(await read()).toContain(`${image} alt="" loading="lazy">`);
  expect(await read("/ink")).toContain(`${image} alt="A &#34;quay&#34;">`);
});

it("a cover on another host can be loaded in the list, but nothing else from that host", async () => {
  const { service, post } = await openBlog();
  await post("ink", { coverImage: "https://cdn.example/cover.jpg" });
  const policy = (await visit(service, "/blog/notes")).headers.get("Content-Security-Policy");
  expect(policy).toContain("img-src 'self' https://cdn.example;");
  expect(policy).toContain("default-src 'none'");
});

it("a tag links to the posts with it, page by page", async () => {
  const { post, read, service } = await openBlog();
  await post("first", { tags: ["C & C++", "ink"] });
  for (let number = 1; number <= 21; number++) await post(`ink-${number}`, { tags: ["ink"] });
  expect(await read("/first")).toContain(
    '<a rel="tag" href="http://127.0.0.1:4401/blog/notes?tag=C%20%26%20C%2B%2B">C &#38; C++</a>',
  );
  const tagged = await read("?tag=C%20%26%20C%2B%2B");
  expect(tagged).toContain("“C &#38; C++”");
  expect(tagged.match(/<h2>/g)).toHaveLength(1);
  expect(await read("?tag=ink")).toContain('<a class="button" rel="next" href="?tag=ink&#38;page=2">Older</a>');
  expect((await read("?tag=ink&page=2")).match(/<h2>/g)).toHaveLength(2);
  expect((await visit(service, "/blog/notes?tag=in")).status).toBe(404);
});

it("a post links to the previous and the next one, but not to drafts", async () => {
  const { post, read } = await openBlog();
  await post("one", { publishedAt: "2026-01-01T00:00:00Z" });
  await post("hidden", { publishedAt: "2026-01-02T00:00:00Z", status: "draft" });
  await post("three", { publishedAt: "2026-01-04T00:00:00Z" });
  await post("two", { publishedAt: "2026-01-03T00:00:00Z" });
  const links = async (slug: string) =>
    Array.from((await read(`/${slug}`)).matchAll(/rel="(?:prev|next)" href="[^"]*"/g), ([link]) => link);
  const blog = "http://127.0.0.1:4401/blog/notes";
  expect(await links("one")).toEqual([`rel="next" href="${blog}/two"`]);
  expect(await links("two")).toEqual([`rel="prev" href="${blog}/one"`, `rel="next" href="${blog}/three"`]);
  expect(await links("three")).toEqual([`rel="prev" href="${blog}/two"`]);
});

it("all posts of the same moment can be reached by going back", async () => {
  const { post, read } = await openBlog();
  for (const slug of ["a", "b", "c"]) await post(slug, PUBLISHED);
  const seen: (string | undefined)[] = [];
  let slug = /<h2><a href="[^"]*\/(\w)"/.exec(await read())?.[1];
  while (slug !== undefined) {
    seen.push(slug);
    slug = /rel="prev" href="[^"]*\/(\w)"/.exec(await read(`/${slug}`))?.[1];
  }
  expect(seen.toSorted()).toEqual(["a", "b", "c"]);
});

it("scrollable boxes can be focused with the keyboard, and scripts stay unchanged", async () => {
  const { post, read } = await openBlog();
  await post("ink", {
    html: `<table><tr><td>1</td></tr></table><pre tabindex="-1">x</pre><script>const a = "<table>";</script>`,
  });
  expect(await read("/ink")).toContain(
    `<table tabindex="0"><tr><td>1</td></tr></table><pre tabindex="-1">x</pre><script>const a = "<table>";</script>`,
  );
});

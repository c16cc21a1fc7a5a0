import { describe, expect, it } from "vitest";
import type { Quirks } from "../../src/service.ts";
import { clientOf, openService, visit } from "./open-service.ts";

const POST = { slug: "first", title: "First", html: "<p>1</p>" };

async function openBlog(quirks: Partial<Quirks> = {}) {
  const service = openService({ quirks });
  const send = clientOf(service, { routeSet: "a" });
  await send("POST", "/api/blogs", { json: { name: "Journal", description: "What happens" } });
  return { service, send };
}

describe("posts", () => {
  it("are returned unchanged if the same one is sent again, even later", async () => {
    const { send } = await openBlog();
    const first = await send("POST", "/api/blogs/journal/posts", { json: POST });
    await send("POST", "/api/_clock", { json: { advanceMs: 60_000 } });
    const second = await send("POST", "/api/blogs/journal/posts", { json: POST });
    expect([first.status, second.status]).toEqual([201, 200]);
    expect(second.body).toEqual(first.body);
  });

  it("are scheduled until their publish date, unless they are drafts", async () => {
    const { send } = await openBlog();
    const publishedAt = new Date(Date.now() + 3_600_000).toISOString();
    const created = await send("POST", "/api/blogs/journal/posts", { json: { ...POST, publishedAt } });
    const draft = { ...POST, slug: "draft", title: "Draft", status: "draft", publishedAt };
    expect(created.body).toMatchObject({ status: "published", publishedAt, scheduled: true });
    expect((await send("POST", "/api/blogs/journal/posts", { json: draft })).body).toMatchObject({ scheduled: false });
    await send("POST", "/api/_clock", { json: { advanceMs: 7_200_000 } });
    const { items } = await send("GET", "/api/blogs/journal/posts?slug=first");
    expect(items).toMatchObject([{ scheduled: false }]);
  });

  it("are never overwritten: a different post with the same slug is rejected with the existing one", async () => {
    const { send } = await openBlog();
    const { body: first } = await send("POST", "/api/blogs/journal/posts", { json: POST });
    const { status, body } = await send("POST", "/api/blogs/journal/posts", { json: { ...POST, title: "Other" } });
    expect([status, body.code]).toEqual([409, "slug_taken"]);
    const { id, slug, url, contentHash } = first;
    expect(body.existing).toEqual({ id, slug, url, contentHash });
  });

  it.each([
    ["upsert", 200, [["first", "Other"]]],
    [
      "suffix",
      201,
      [
        ["first", "First"],
        ["first-2", "Other"],
      ],
    ],
    [
      "duplicate",
      201,
      [
        ["first", "First"],
        ["first", "Other"],
      ],
    ],
  ] as const)("follow the quirk %s when repeated", async (repeatedPost, status, posts) => {
    const { send } = await openBlog({ repeatedPost });
    await send("POST", "/api/blogs/journal/posts", { json: POST });
    await send("POST", "/api/_clock", { json: { advanceMs: 1000 } });
    const repeated = await send("POST", "/api/blogs/journal/posts", { json: { ...POST, title: "Other" } });
    expect(repeated.status).toBe(status);
    const { items } = await send("GET", "/api/blogs/journal/posts");
    expect(items.map(({ slug, title }) => [slug, title]).toReversed()).toEqual(posts);
  });

  it.each([
    [{ slug: "x", title: "X" }, "invalid_body"],
    [{ slug: "x", title: "X", html: "<p>", markdown: "x" }, "invalid_body"],
    [{ slug: "x", title: " ", html: "<p>" }, "invalid_body"],
    [{ slug: "X y", title: "X", html: "<p>" }, "invalid_slug"],
    [{ slug: "x", title: "X", html: "<p>", publishedAt: "yesterday" }, "invalid_body"],
    [{ slug: "x", title: "X", html: "<p>", tags: Array.from({ length: 21 }, String) }, "invalid_body"],
  ])("are rejected: %j", async (json, code) => {
    const { send } = await openBlog();
    const { status, body } = await send("POST", "/api/blogs/journal/posts", { json });
    expect([status, body.code]).toEqual([422, code]);
  });

  it.each([
    "javascript:alert(1)",
    " JavaScript:alert(1)",
    "java\nscript:alert(1)",
    "data:text/html,<script>",
    "vbscript:x",
  ])("reject %j where readers see an address", async (address) => {
    const { send } = await openBlog();
    await send("POST", "/api/blogs/journal/posts", { json: POST });
    for (const field of ["coverImage", "canonicalUrl"]) {
      const post = { ...POST, slug: "other", [field]: address };
      const created = await send("POST", "/api/blogs/journal/posts", { json: post });
      const changed = await send("PATCH", "/api/blogs/journal/posts/first", { json: { [field]: address } });
      for (const { status, body } of [created, changed]) {
        expect([status, body.code, body.errors]).toEqual([
          422,
          "invalid_body",
          [expect.objectContaining({ pointer: `/body/${field}` })],
        ]);
      }
    }
  });

  it("are listed without their bodies by default", async () => {
    const { send } = await openBlog();
    await send("POST", "/api/blogs/journal/posts", { json: POST });
    await send("POST", "/api/blogs/journal/posts", { json: { slug: "second", title: "Second", markdown: "# Hi" } });
    const { items } = await send("GET", "/api/blogs/journal/posts");
    expect(items.some((item) => "html" in item || "markdown" in item)).toBe(false);
    const whole = await send("GET", "/api/blogs/journal/posts?include=content&slug=second");
    expect(whole.items).toMatchObject([{ slug: "second", markdown: "# Hi" }]);
  });

  it("can be changed and deleted with the extensions", async () => {
    const { service, send } = await openBlog();
    const { body: first } = await send("POST", "/api/blogs/journal/posts", { json: POST });
    const changed = await send("PATCH", "/api/blogs/journal/posts/first", {
      json: { markdown: "new", tags: ["a"] },
      headers: { "If-Match": '"v1"' },
    });
    expect(changed.body).toMatchObject({ version: 2, markdown: "new", tags: ["a"], publishedAt: first.publishedAt });
    expect(changed.body.html).toBeUndefined();
    const same = await send("PATCH", "/api/blogs/journal/posts/first", { json: { markdown: "new" } });
    expect(same.body.version).toBe(2);
    expect((await send("DELETE", "/api/blogs/journal/posts/first")).status).toBe(204);
    expect((await visit(service, "/blog/journal/first")).status).toBe(404);
  });
});

describe("a post's addresses", () => {
  it.each([
    ["https://elsewhere.example/a", 201],
    ["/library/as_1/cover.png", 201],
    ["cover.png?x=a:b", 201],
    ["data:image/png;base64,AAAA", 201],
    ["javascript:alert(1)", 422],
    [" JavaScript:alert(1)", 422],
    ["java\tscript:alert(1)", 422],
    ["data:text/html,<script>alert(1)</script>", 422],
    ["vbscript:x", 422],
    ["file:///etc/passwd", 422],
  ])("must be web addresses, never scripts: %j", async (address, status) => {
    const send = clientOf(openService(), { routeSet: "a" });
    const { id } = (await send("POST", "/api/blogs", { json: { name: "News" } })).body;
    for (const field of ["coverImage", "canonicalUrl"]) {
      const json = { slug: field.toLowerCase(), title: "One", html: "<p>1</p>", [field]: address };
      expect([field, (await send("POST", `/api/blogs/${String(id)}/posts`, { json })).status]).toEqual([field, status]);
    }
  });
});

describe("blogs", () => {
  it("apply the fields that are sent if the blog already exists", async () => {
    const { send } = await openBlog();
    const { status, body } = await send("POST", "/api/blogs", { json: { name: "New name", slug: "journal" } });
    expect(status).toBe(200);
    expect(body).toMatchObject({ name: "New name", description: "What happens", postCount: 0 });
    expect((await send("GET", "/api/blogs")).items).toHaveLength(1);
  });

  it("require their site to exist", async () => {
    const { send } = await openBlog();
    const { status, body } = await send("POST", "/api/blogs", { json: { name: "x", siteId: "st_none" } });
    expect([status, body.code]).toEqual([404, "site_not_found"]);
  });

  it("list their published posts, newest first, with every text escaped", async () => {
    const { service, send } = await openBlog();
    const title = "<script>alert(1)</script>";
    await send("POST", "/api/blogs/journal/posts", { json: { ...POST, title, publishedAt: "2026-01-02T00:00:00Z" } });
    await send("POST", "/api/blogs/journal/posts", {
      json: { ...POST, slug: "older", title: "Older", excerpt: "An excerpt", publishedAt: "2026-01-01T00:00:00Z" },
    });
    await send("POST", "/api/blogs/journal/posts", { json: { ...POST, slug: "hidden", status: "draft" } });
    const html = await (await visit(service, "/blog/journal")).text();
    expect(html).not.toContain("<script>");
    expect(html).not.toContain("/hidden");
    expect(html.indexOf("/blog/journal/first")).toBeLessThan(html.indexOf("/blog/journal/older"));
    expect(html).toContain("An excerpt");
    expect((await visit(service, "/blog/journal/hidden")).status).toBe(404);
    expect((await visit(service, "/blog/none")).status).toBe(404);
  });

  it("show a Markdown post rendered and sanitized, and keep its source unchanged", async () => {
    const { service, send } = await openBlog();
    const markdown = "# Hi\n\n- [x] *done*\n\n<script>alert(1)</script>\n";
    await send("POST", "/api/blogs/journal/posts", { json: { slug: "md", title: "Markdown", markdown } });
    const html = await (await visit(service, "/blog/journal/md")).text();
    expect(html).toContain('<h1 id="hi">Hi</h1>');
    expect(html).toContain('<li class="task-list-item"><input type="checkbox" checked disabled> <em>done</em></li>');
    expect(html).not.toContain("alert(1)");
    const [stored] = (await send("GET", "/api/blogs/journal/posts?include=content")).items;
    expect(stored).toMatchObject({ markdown });
    expect(stored?.["html"]).toBeUndefined();
  });

  it("show a post sent as HTML unchanged", async () => {
    const { service, send } = await openBlog();
    const html = '<p onclick="go()">*1*</p><script>go()</script>';
    await send("POST", "/api/blogs/journal/posts", { json: { ...POST, html } });
    expect(await (await visit(service, "/blog/journal/first")).text()).toContain(html);
  });

  it("link each page of their list to the next", async () => {
    const service = openService();
    const send = clientOf(service, { routeSet: "a" });
    await send("POST", "/api/_seed", { json: { posts: 21 } });
    const first = await (await visit(service, "/blog/seed")).text();
    const second = await (await visit(service, "/blog/seed?page=2")).text();
    expect(first).toContain('rel="next" href="?page=2">');
    expect(second).toContain('rel="prev" href="?page=1">');
    expect(second.match(/<li>/g)).toHaveLength(1);
    expect((await visit(service, "/blog/seed?page=3")).status).toBe(404);
  });
});

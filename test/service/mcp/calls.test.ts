import { describe, expect, it } from "vitest";
import { clientOf, openRunningService } from "../open-service.ts";
import { connectV2 } from "./connect.ts";

type Given = Readonly<Record<string, unknown>>;

async function openTools(options: Parameters<typeof openRunningService>[0] = {}) {
  const service = await openRunningService(options);
  const client = await connectV2(service);
  return {
    service,
    async call(name: string, given: Given = {}): Promise<Given> {
      const { isError, structuredContent } = await client.callTool({ name, arguments: given });
      expect(isError ?? false).toBe(false);
      return Object(structuredContent);
    },
    async refusal(name: string, given: Given = {}): Promise<Given> {
      const { isError, content } = await client.callTool({ name, arguments: given });
      expect(isError).toBe(true);
      const [first] = content;
      return JSON.parse(first?.type === "text" ? first.text : "{}");
    },
  };
}

describe("a tool call", () => {
  it("changes the same records as the routes, and sends the same events", async () => {
    const { service, call } = await openTools();
    await call("pages_put", { slug: "one", html: "<title>One</title>" });
    const send = clientOf(service, { routeSet: "a" });
    expect((await send("GET", "/api/pages/one")).body).toMatchObject({ title: "One", version: 1 });
    expect((await send("GET", "/api/events")).items).toMatchObject([{ type: "page.published" }]);
  });

  it("continues a list from its cursor", async () => {
    const { call } = await openTools();
    for (const slug of ["one", "two", "three"]) await call("pages_put", { slug, html: `<p>${slug}` });
    const first = await call("pages_list", { limit: 2 });
    expect(first).toMatchObject({ data: [{ slug: "three" }, { slug: "two" }] });
    const second = await call("pages_list", { limit: 2, cursor: first["nextCursor"] });
    expect(second).toMatchObject({ data: [{ slug: "one" }], nextCursor: null });
  });

  it("accepts booleans and numbers where query parameters are text", async () => {
    const { call } = await openTools();
    await call("pages_put", { slug: "form", html: '<form method="post"><input name="email"></form>' });
    expect(await call("submissions_list", { pageSlug: "form", spam: true, limit: 5 })).toEqual({
      data: [],
      nextCursor: null,
    });
  });

  it("responds without data after deleting a record", async () => {
    const { call, refusal } = await openTools();
    await call("pages_put", { slug: "one", html: "<p>" });
    expect(await call("pages_delete", { slug: "one" })).toEqual({});
    expect(await refusal("pages_get", { slug: "one" })).toMatchObject({ code: "page_not_found" });
  });

  it("returns the first response when repeated with the same idempotency key", async () => {
    const { call, refusal } = await openTools();
    const given = { name: "Kit", idempotencyKey: "once" };
    const first = await call("brand_kits_create", given);
    expect(await call("brand_kits_create", given)).toEqual(first);
    expect(await call("brand_kits_list")).toMatchObject({ data: [{ id: first["id"] }] });
    expect(await refusal("brand_kits_create", { ...given, name: "Other" })).toMatchObject({
      code: "idempotency_key_reused",
    });
  });

  it("is rejected if its version is outdated", async () => {
    const { call, refusal } = await openTools();
    await call("pages_put", { slug: "one", html: "<p>1" });
    await call("pages_put", { slug: "one", html: "<p>2", ifVersion: 1 });
    expect(await refusal("pages_put", { slug: "one", html: "<p>3", ifVersion: 1 })).toMatchObject({
      code: "version_mismatch",
      version: 2,
    });
    expect(await refusal("pages_put", { slug: "one", html: "<p>3", ifAbsent: true })).toMatchObject({
      code: "already_exists",
    });
  });

  it("publishes Markdown that readers see rendered and sanitized", async () => {
    const { service, call } = await openTools();
    expect(await call("blogs_create", { name: "Blog", slug: "blog", language: "de" })).toMatchObject({
      language: "de",
    });
    const markdown = "**One**\n\n| a |\n|---|\n\n<img src=x onerror=alert(1)>";
    await call("posts_create", { blogId: "blog", slug: "one", title: "One", markdown });
    const html = await (await fetch(`${service.pagesUrl}/blog/blog/one`)).text();
    expect(html).toContain('<p><strong>One</strong></p>\n<table tabindex="0">');
    expect(html).toContain('<img src="x">');
    expect(await call("posts_list", { blogId: "blog", include: "content" })).toMatchObject({ data: [{ markdown }] });
  });

  it("doesn't return the text that it just sent", async () => {
    const { call } = await openTools();
    await call("blogs_create", { name: "Blog", slug: "blog" });
    const post = await call("posts_create", { blogId: "blog", slug: "one", title: "One", markdown: "# One" });
    expect(post).toMatchObject({ slug: "one" });
    expect(post).not.toHaveProperty("markdown");
  });
});

describe("an error response", () => {
  it.each([
    ["an unknown argument", { slug: "one", content: "<p>" }, "/content"],
    ["a missing argument", { slug: "one" }, "/html"],
    ["an argument of the wrong type", { slug: 1, html: "<p>" }, "/slug"],
    ["an unknown status", { slug: "one", html: "<p>", status: "live" }, "/status"],
  ])("names %s", async (_, given, pointer) => {
    const { refusal } = await openTools();
    const refused = await refusal("pages_put", given);
    expect(refused).toMatchObject({ code: "invalid_arguments" });
    expect(refused["errors"]).toContainEqual(expect.objectContaining({ pointer }));
  });

  it("names the argument that a rule of the service rejects", async () => {
    const { refusal } = await openTools();
    expect(await refusal("pages_put", { slug: "Not A Slug", html: "<p>" })).toMatchObject({
      code: "invalid_slug",
      errors: [{ pointer: "/slug" }],
    });
  });

  it("reveals only the request's id for an internal error", async () => {
    const { service, refusal } = await openTools({ allowNetworks: ["127.0.0.0/8"] });
    const refused = await refusal("assets_import", { url: `${service.pagesUrl}/nothing` });
    expect(Object.keys(refused).toSorted()).toEqual(["code", "detail", "requestId", "title"]);
  });
});

describe("a large response", () => {
  it("returns a page's HTML in parts that make up the whole", async () => {
    const { call } = await openTools();
    const html = `<p>${"😀é".repeat(40_000)}</p>`;
    await call("pages_put", { slug: "large", html });
    let read = "";
    for (let htmlOffset: unknown = 0; htmlOffset !== null;) {
      const part = await call("pages_get", { slug: "large", include: "html", htmlOffset });
      expect(JSON.stringify(part).length).toBeLessThan(60_000);
      read += String(part["html"]);
      htmlOffset = part["nextHtmlOffset"];
    }
    expect(read).toBe(html);
  });

  it("is a shorter list with a cursor for the rest", async () => {
    const { call } = await openTools();
    await call("blogs_create", { name: "Blog", slug: "blog" });
    for (let index = 0; index < 6; index++) {
      const slug = `post-${index}`;
      await call("posts_create", { blogId: "blog", slug, title: slug, markdown: "x".repeat(30_000) });
    }
    const slugs: string[] = [];
    for (let cursor: unknown; cursor !== null;) {
      const given = { blogId: "blog", include: "content", ...(cursor !== undefined && { cursor }) };
      const part = await call("posts_list", given);
      expect(JSON.stringify(part).length).toBeLessThan(100_000);
      const data: readonly { readonly slug: string }[] = Array.isArray(part["data"]) ? part["data"] : [];
      slugs.push(...data.map(({ slug }) => slug));
      cursor = part["nextCursor"];
    }
    expect(slugs).toEqual(["post-5", "post-4", "post-3", "post-2", "post-1", "post-0"]);
  });

  it("is rejected with advice if a single entry is too large", async () => {
    const { call, refusal } = await openTools();
    await call("blogs_create", { name: "Blog", slug: "blog" });
    await call("posts_create", { blogId: "blog", slug: "one", title: "One", markdown: "x".repeat(200_000) });
    expect(await refusal("posts_list", { blogId: "blog", include: "content" })).toMatchObject({
      code: "answer_too_large",
    });
  });
});

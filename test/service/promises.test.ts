import sharp from "sharp";
import { describe, expect, it } from "vitest";
import {
  clientOf,
  fileForm,
  openRunningService,
  openService,
  pageForm,
  visit,
  type Answer,
  type Fields,
  type Send,
} from "./open-service.ts";
import type { Service } from "../../src/service.ts";
import { sampleOf } from "../whole.ts";

// What the service promises regardless of route set, mode, and transport.

const CASES = (["a", "b"] as const).flatMap((routeSet) =>
  [true, false].flatMap((strict) =>
    (["in process", "over HTTP"] as const).map((transport) => ({ routeSet, strict, transport })),
  ),
);

interface Opened {
  readonly service: Service;
  readonly send: Send;
}

/** Route set A responds to an upload with the asset, B with a list. */
function assetIn({ body, items }: Answer): Fields {
  return items[0] ?? body;
}

// Each pair of values.
const sample = sampleOf(CASES, ({ routeSet, strict, transport }) => {
  return (routeSet === "a") === (strict === (transport === "in process"));
});

describe.each(sample)("route set $routeSet, strict $strict, $transport", ({ routeSet, strict, transport }) => {
  const assets = routeSet === "a" ? "/api/library" : "/api/assets";
  const upload = routeSet === "a" ? "/api/library" : "/api/assets/upload";

  async function open(): Promise<Opened> {
    const service = transport === "in process" ? openService({ strict }) : await openRunningService({ strict });
    return { service, send: clientOf(service, { routeSet, transport }) };
  }

  it("publishes a page that is live when the response arrives", async () => {
    const { service, send } = await open();
    const { status } = await send("PUT", "/api/pages/home", { json: { html: "<h1>Hello</h1>", title: "Home" } });
    expect(status).toBe(201);
    const page = await visit(service, "/p/home");
    expect(page.status).toBe(200);
    expect(page.headers.get("Content-Type")).toBe("text/html; charset=utf-8");
    expect(await page.text()).toBe("<h1>Hello</h1>");
  });

  it("updates a page with the same slug and keeps its id", async () => {
    const { service, send } = await open();
    const first = await send("PUT", "/api/pages/home", { json: { html: "<p>1</p>" } });
    const second = await send("PUT", "/api/pages/home", { json: { html: "<p>2</p>" } });
    expect(second.status).toBe(200);
    expect(second.body.id).toBe(first.body.id);
    expect(await (await visit(service, "/p/home")).text()).toBe("<p>2</p>");
  });

  it("returns 410 at the address of a deleted page", async () => {
    const { service, send } = await open();
    await send("PUT", "/api/pages/old", { json: { html: "<p>old</p>" } });
    expect((await send("DELETE", "/api/pages/old")).status).toBe(204);
    expect((await visit(service, "/p/old")).status).toBe(410);
    expect((await send("DELETE", "/api/pages/old")).body.code).toBe("page_not_found");
  });

  it("lists pages newest first, with addresses of its route set", async () => {
    const { service, send } = await open();
    await send("PUT", "/api/pages/one", { json: { html: "<p>1</p>" } });
    await send("POST", "/api/_clock", { json: { advanceMs: 1000 } });
    await send("PUT", "/api/pages/two", { json: { html: "<p>2</p>" } });
    const { body, items } = await send("GET", "/api/pages");
    expect(body.nextCursor).toBeNull();
    expect(items.map(({ slug }) => slug)).toEqual(["two", "one"]);
    const page = items.at(-1) ?? {};
    expect(page.url).toBe(routeSet === "a" ? `/edit/${page.id}` : `${service.pagesUrl}/p/one`);
    expect("publicUrl" in page).toBe(!strict);
  });

  it("stores an image and serves the same bytes with their content type", async () => {
    const { service, send } = await open();
    const png = await sharp({ create: { width: 3, height: 2, channels: 3, background: "red" } })
      .png()
      .toBuffer();
    const first = await send("POST", upload, { form: fileForm(["red.png", png]) });
    expect(first.status).toBe(201);
    const asset = assetIn(first);
    expect(asset).toMatchObject({ name: "red.png", contentType: "image/png", size: png.byteLength });
    const again = await send("POST", upload, { form: fileForm(["again.png", png]) });
    expect(again.status).toBe(200);
    expect(assetIn(again).id).toBe(asset.id);

    const file = await service.fetch(new Request(String(asset.url)));
    expect(file.headers.get("Content-Type")).toBe("image/png");
    expect(file.headers.get("Access-Control-Allow-Origin")).toBe("*");
    expect(Buffer.from(await file.arrayBuffer()).equals(png)).toBe(true);
    expect((await send("GET", assets)).items).toHaveLength(1);
  });

  it("creates a site, and returns the same site if the request is repeated", async () => {
    const { send } = await open();
    const site = { name: "My site", homeSlug: "home" };
    const first = await send("POST", "/api/sites", { json: site });
    const second = await send("POST", "/api/sites", { json: site });
    expect([first.status, second.status]).toEqual([201, 200]);
    expect(second.body.id).toBe(first.body.id);
    expect((await send("GET", "/api/sites")).items).toHaveLength(1);
  });

  it("creates a blog, and a post in it that readers can see", async () => {
    const { service, send } = await open();
    const blog = await send("POST", "/api/blogs", { json: { name: "Journal" } });
    expect(blog.status).toBe(201);
    expect((await send("POST", "/api/blogs", { json: { name: "Journal" } })).status).toBe(200);
    const post = { slug: "first", title: "First", html: "<p>Hello</p>" };
    const created = await send("POST", `/api/blogs/${blog.body.id}/posts`, { json: post });
    expect(created.status).toBe(201);
    const { items } = await send("GET", "/api/blogs/journal/posts");
    expect(items.map(({ slug }) => slug)).toEqual(["first"]);
    const page = await service.fetch(new Request(String(created.body.url)));
    expect(await page.text()).toContain("<p>Hello</p>");
  });

  it("stores a brand kit", async () => {
    const { send } = await open();
    const kit = { name: "Brand", colors: [{ role: "accent", hex: "#a63d1f" }] };
    const created = await send("POST", "/api/brand-kits", { json: kit });
    expect(created.status).toBe(201);
    expect(created.body.kitId).toBe(created.body.id);
    expect((await send("GET", "/api/brand-kits")).items[0]).toMatchObject(kit);
  });

  it("accepts a page as a form where the route set defines it, and rejects it elsewhere", async () => {
    const { send } = await open();
    const form = pageForm({ html: "<p>hi</p>", title: "Hi", slug: "hi" });
    const created = await send("POST", "/api/pages", { form });
    expect(created.status).toBe(routeSet === "b" ? 201 : 405);
    const put = await send("PUT", "/api/pages/hi", { form: pageForm({ html: "<p>new</p>" }) });
    expect(put.status).toBe(routeSet === "b" ? 200 : 415);
  });

  it("includes the route set and the API version in every response", async () => {
    const { send } = await open();
    const { headers } = await send("GET", "/api/pages", { headers: { "X-Request-Id": "mine-1" } });
    expect(headers.get("Imprint-Route-Set")).toBe(routeSet);
    expect(headers.get("Imprint-Api-Version")).toBe("1");
    expect(headers.get("X-Request-Id")).toBe("mine-1");
  });

  it("has its extensions only outside strict mode", async () => {
    const { send } = await open();
    const { status, body } = await send("GET", "/api/account");
    expect(status).toBe(strict ? 404 : 200);
    expect(body.routeSet ?? body.code).toBe(strict ? "no_such_route" : routeSet);
  });

  it("responds to a change as specified and, outside strict mode, with the full record", async () => {
    const { send } = await open();
    const { body } = await send("PUT", "/api/pages/home", { json: { html: "<p>1</p>" } });
    const shown = routeSet === "a" ? ["id", "slug", "url"] : ["id", "slug", "url", "title", "status", "createdAt"];
    if (strict) expect(Object.keys(body)).toEqual(shown);
    else expect(Object.keys(body)).toEqual(expect.arrayContaining([...shown, "version", "contentHash", "publicUrl"]));
  });
});

import sharp from "sharp";
import { describe, expect, it, onTestFinished } from "vitest";
import { sha256 } from "../../src/base/hash.ts";
import { detectRouteSet, outcomeOf, type ConnectOptions, type RequestEvent } from "../../src/client.ts";
import { startService, type ServiceOptions } from "../../src/service.ts";
import { failure, testConnect } from "./clients.ts";
import { takeTurns } from "../whole.ts";

const HOME = { slug: "home", title: "Home", html: "<!doctype html><title>Home</title><p>Größe</p>" };
const POST = { slug: "first", title: "First", html: "<p>Hello</p>" };

async function start(options: ServiceOptions = {}) {
  const service = await startService({ ephemeral: true, dev: true, port: 0, pagesPort: 0, ...options });
  onTestFinished(() => service.close());
  return service;
}

function image(): Promise<Buffer> {
  return sharp({ create: { width: 8, height: 4, channels: 3, background: "#2a6f97" } })
    .png()
    .toBuffer();
}

const SERVICES = [
  { routeSet: "a", mode: "strict" },
  { routeSet: "a", mode: "full" },
  { routeSet: "b", mode: "strict" },
  { routeSet: "b", mode: "full" },
] as const;

const inTurn = takeTurns(SERVICES);

describe.each(SERVICES)("our service, route set $routeSet, $mode", (world) => {
  const { routeSet, mode } = world;
  const isTurn = inTurn(world);

  async function connectTo(options: Partial<ConnectOptions> = {}) {
    const service = await start({ strict: mode === "strict", dev: true });
    const given = { baseUrl: service.baseUrl(routeSet), apiKey: service.apiKey };
    return { service, api: await testConnect({ ...given, ...options }), ...given };
  }

  it("is recognized, with its capabilities if it announces them", async () => {
    const { api, service, baseUrl, apiKey } = await connectTo();
    expect(await detectRouteSet({ baseUrl, apiKey })).toBe(routeSet);
    expect(api.capabilities.routeSet).toBe(routeSet);
    expect(api.capabilities.assetTypes).toBe(routeSet === "a" ? "any" : "images");
    expect(api.capabilities.pagesUrl).toBe(mode === "full" ? service.pagesUrl : undefined);
    expect(api.capabilities.operations.has("posts.patch")).toBe(mode === "full");
    expect(Object.keys(api.capabilities.limits).length > 0).toBe(mode === "full");
  });

  it("changes a page without its HTML if that is announced", async () => {
    const { api, service } = await connectTo();
    const { id } = await api.pages.create(HOME);
    if (mode === "strict") {
      expect(await failure(api.pages.patch("home", { title: "Start" }))).toMatchObject({ code: "NOT_SUPPORTED" });
      return;
    }
    expect(await api.pages.patch("home", { title: "Start", status: "draft" }, { ifMatch: 1 })).toMatchObject({
      ...{ id, slug: "home", title: "Start", status: "draft", version: 2 },
    });
    expect((await fetch(`${service.pagesUrl}/p/home`)).status).toBe(404);
    expect((await failure(api.pages.patch("home", { title: "Late" }, { ifMatch: 1 }))).code).toBe("VERSION_MISMATCH");
    await api.pages.patch("home", { status: "published" });
    expect(await (await fetch(`${service.pagesUrl}/p/home`)).text()).toContain("<p>Größe</p>");
  });

  it.runIf(isTurn())("creates, changes, shows, lists, and deletes a page", async () => {
    const { api, service } = await connectTo();
    const created = await api.pages.create(HOME);
    expect(created).toMatchObject({ slug: "home", id: expect.stringMatching(/^pg_/) });
    expect(await (await fetch(`${service.pagesUrl}/p/home`)).text()).toContain("<p>Größe</p>");
    const changed = await api.pages.update({ ...HOME, title: "Start", html: `${HOME.html}<p>more</p>` });
    expect(changed.id).toBe(created.id);
    expect(await (await fetch(`${service.pagesUrl}/p/home`)).text()).toContain("<p>more</p>");
    const { items, end } = await api.pages.list();
    expect(items.map(({ slug, title }) => [slug, title])).toEqual([["home", "Start"]]);
    expect(end).toBe("said");
    await api.pages.delete("home");
    await api.pages.delete("home");
    expect((await api.pages.list()).items).toEqual([]);
  });

  it("returns a page's HTML byte for byte if it shows it", async () => {
    const { api } = await connectTo();
    const html = "\ufeff<!DOCTYPE html>\r\n<title>x</title>\t<p>ä&nbsp;𝒳</p>\n\n";
    await api.pages.create({ ...HOME, html });
    expect(await api.pages.readHtml("home")).toBe(routeSet === "a" && mode === "strict" ? undefined : html);
    expect(await api.pages.readHtml("missing")).toBeUndefined();
  });

  it.runIf(isTurn())("lists more pages than fit into one response, each once", async () => {
    const { api } = await connectTo();
    const slugs = Array.from({ length: 230 }, (_, index) => `page-${index}`);
    await Promise.all(slugs.map((slug) => api.pages.create({ ...HOME, slug })));
    const { items } = await api.pages.list();
    expect(items.map(({ slug }) => slug).toSorted()).toEqual(slugs.toSorted());
  });

  it.runIf(isTurn())("stores an image once, at a working address, and finds it again", async () => {
    const { api } = await connectTo();
    const bytes = await image();
    const asset = { name: "blue.png", contentType: "image/png", bytes, alt: "Blue" };
    const uploaded = await api.assets.upload(asset);
    expect(uploaded).toMatchObject({ contentType: "image/png", size: bytes.length, id: expect.stringMatching(/^as_/) });
    expect(sha256(new Uint8Array(await (await fetch(uploaded.url)).arrayBuffer()))).toBe(sha256(bytes));
    expect((await api.assets.upload(asset)).id).toBe(uploaded.id);
    expect((await api.assets.list({ hash: sha256(bytes) })).items.map(({ id }) => id)).toEqual([uploaded.id]);
    expect((await api.assets.list({ hash: "0".repeat(64) })).items).toEqual([]);
  });

  it.runIf(isTurn())("stores sites and brand kits, and replaces a site", async () => {
    const { api } = await connectTo();
    const kit = await api.brandKits.create({ name: "Kit", colors: [{ role: "primary", hex: "#2a6f97" }] });
    expect(kit).toMatchObject({ name: "Kit", colors: [{ role: "primary", hex: "#2a6f97" }], fonts: [], logos: [] });
    const site = await api.sites.create({ name: "Site", slug: "site" });
    const changed = await api.sites.update(site.id, { name: "Renamed", slug: "site", brandKitId: kit.id });
    expect(changed).toMatchObject({ id: site.id, name: "Renamed" });
    expect((await api.sites.list()).items.map(({ id, name }) => [id, name])).toEqual([[site.id, "Renamed"]]);
    expect((await api.brandKits.list()).items.map(({ id }) => id)).toEqual([kit.id]);
  });

  it.runIf(isTurn())("publishes a post once, whatever the request", async () => {
    const { api } = await connectTo();
    const blog = await api.blogs.create({ name: "Blog", slug: "blog" });
    const post = await api.posts.create(blog.id, POST, { idempotencyKey: "first" });
    expect(post).toMatchObject({ slug: "first", title: "First" });
    expect((await api.posts.create(blog.id, POST, { idempotencyKey: "first" })).id).toBe(post.id);
    const taken = await failure(api.posts.create(blog.id, { ...POST, html: "<p>Other</p>" }));
    expect([taken.code, outcomeOf(taken)]).toEqual(["SERVICE_REFUSED", "ambiguous"]);
    expect((await api.posts.list(blog.id)).items.map(({ id, slug }) => [id, slug])).toEqual([[post.id, "first"]]);
  });

  it.runIf(isTurn())("rejects an unknown key, and a restricted one with the missing scope", async () => {
    const { service, baseUrl } = await connectTo();
    const narrow = await service.createKey({
      name: "reader",
      scopes: ["pages:read", "account:read", "library:read"],
    });
    const reader = await testConnect({ baseUrl, apiKey: narrow.apiKey });
    const forbidden = await failure(reader.pages.create(HOME));
    expect([forbidden.code, forbidden.message]).toEqual(["AREA_REFUSED", expect.stringContaining("pages:write")]);
    await service.revokeKey(narrow.id);
    expect((await failure(reader.pages.list())).code).toBe("KEY_REJECTED");
  });

  it.runIf(isTurn())("reports what is invalid in a request", async () => {
    const { api } = await connectTo();
    const error = await failure(api.pages.create({ ...HOME, slug: "Not A Slug" }));
    expect(error.code).toBe("SERVICE_REFUSED");
    expect(error.message).toMatch(/\(422\).*slug.*Request id: \S+\.$/i);
  });

  it.runIf(isTurn()).each([
    ["a reset before the change", { kind: "reset", when: "before-commit" }],
    ["a reset after the change", { kind: "reset", when: "after-commit" }],
    ["a closed connection", { kind: "refuse" }],
    ["500", { kind: "status", status: 500 }],
    ["503 with Retry-After", { kind: "status", status: 503, retryAfterSeconds: 1 }],
    ["429", { kind: "status", status: 429, retryAfterSeconds: 1 }],
    ["a truncated response", { kind: "truncate" }],
    ["a response that isn't JSON", { kind: "malformed-json" }],
  ] as const)("ends up in the same state after %s to a change of a page", async (_, fault) => {
    const events: RequestEvent[] = [];
    const { api, service } = await connectTo({ onRequest: (event) => events.push(event) });
    await api.pages.create(HOME);
    service.setFaults({ rules: [{ operation: "pages.put", count: 2, fault }] });
    await api.pages.update({ ...HOME, html: "<title>Home</title><p>after</p>" });
    expect(events.filter(({ operation }) => operation === "pages.put").length).toBeGreaterThanOrEqual(3);
    expect(await (await fetch(`${service.pagesUrl}/p/home`)).text()).toContain("<p>after</p>");
  });

  it.runIf(isTurn()).each([
    ["a reset before the change", { kind: "reset", when: "before-commit" }, 0],
    ["a reset after the change", { kind: "reset", when: "after-commit" }, 1],
    ["502", { kind: "status", status: 502 }, 0],
    ["a redirect", { kind: "redirect", location: "http://127.0.0.1:1/" }, 0],
    ["a truncated response", { kind: "truncate" }, 1],
    ["a response that isn't JSON", { kind: "malformed-json" }, 1],
  ] as const)(
    "leaves open whether a post was published after %s, and gets no further request",
    async (_, fault, stored) => {
      const { api, service } = await connectTo();
      const blog = await api.blogs.create({ name: "Blog", slug: "blog" });
      service.setFaults({ rules: [{ operation: "posts.create", fault }] });
      expect(outcomeOf(await failure(api.posts.create(blog.id, POST)))).toBe("ambiguous");
      service.setFaults({});
      expect((await api.posts.list(blog.id)).items).toHaveLength(stored);
      const sent = service.requests().filter(({ operation }) => operation === "posts.create");
      expect(sent.length).toBeLessThanOrEqual(1);
    },
  );
});

describe.each(["a", "b"] as const)("our service with all its extensions, route set %s", (routeSet) => {
  async function connectTo() {
    const service = await start();
    return { service, api: await testConnect({ baseUrl: service.baseUrl(routeSet), apiKey: service.apiKey }) };
  }

  it("stores a blog's language in canonical form", async () => {
    const { api } = await connectTo();
    expect(await api.blogs.create({ name: "Notas", language: "pt-br" })).toMatchObject({ language: "pt-BR" });
  });

  it("changes a page only in the given version, even if a response is lost", async () => {
    const { api, service } = await connectTo();
    const created = await api.pages.create(HOME);
    expect(created).toMatchObject({
      version: 1,
      contentHash: sha256(HOME.html),
      publicUrl: `${service.pagesUrl}/p/home`,
    });
    service.setFaults({
      rules: [{ operation: "pages.put", count: 1, fault: { kind: "reset", when: "after-commit" } }],
    });
    const second = { ...HOME, html: `${HOME.html}<p>2</p>` };
    expect(await api.pages.update(second, { ifMatch: 1 })).toMatchObject({ version: 2 });
    service.setFaults({});
    const error = await failure(api.pages.update({ ...HOME, html: `${HOME.html}<p>3</p>` }, { ifMatch: 1 }));
    expect(error.code).toBe("VERSION_MISMATCH");
    expect((await failure(api.pages.delete("home", { ifMatch: 1 }))).code).toBe("VERSION_MISMATCH");
  });

  it("changes and deletes posts", async () => {
    const { api } = await connectTo();
    const blog = await api.blogs.create({ name: "Blog", slug: "blog" });
    const post = await api.posts.create(blog.id, POST);
    expect(await api.posts.update(blog.id, "first", { title: "Second" })).toMatchObject({
      id: post.id,
      title: "Second",
    });
    await api.posts.delete(blog.id, "first");
    await api.posts.delete(blog.id, "first");
    expect((await api.posts.list(blog.id)).items).toEqual([]);
  });

  it("doesn't upload a file twice if the request is repeated with its key", async () => {
    const { api, service } = await connectTo();
    service.setFaults({ rules: [{ count: 1, fault: { kind: "reset", when: "after-commit" } }] });
    const asset = { name: "blue.png", contentType: "image/png", bytes: await image() };
    await api.assets.upload(asset, { idempotencyKey: sha256(asset.bytes), repeat: "always" });
    expect((await api.assets.list()).items).toHaveLength(1);
  });
});

describe("our service, route set A", () => {
  it("returns, changes, and deletes single records", async () => {
    const service = await start();
    const api = await testConnect({ baseUrl: service.baseUrl("a"), apiKey: service.apiKey });
    await api.pages.create(HOME);
    expect(await api.pages.get("home")).toMatchObject({ slug: "home", title: "Home", createdAt: expect.any(Date) });
    expect(await api.pages.get("missing")).toBeUndefined();
    expect((await failure(api.pages.create(HOME, { ifExists: "refuse" }))).code).toBe("VERSION_MISMATCH");
    const site = await api.sites.create({ name: "Site", slug: "site" });
    expect(await api.sites.get(site.id)).toMatchObject({ name: "Site", slug: "site" });
    await api.sites.delete(site.id);
    expect(await api.sites.get(site.id)).toBeUndefined();
    const asset = await api.assets.upload({ name: "a.txt", contentType: "text/plain", bytes: Buffer.from("hello") });
    expect(await api.assets.update(asset.id, { alt: "Greeting" })).toMatchObject({ id: asset.id, alt: "Greeting" });
    await api.assets.delete(asset.id);
    expect((await api.assets.list()).items).toEqual([]);
    const blog = await api.blogs.create({ name: "Blog", slug: "blog" });
    expect((await api.blogs.list()).items.map(({ id }) => id)).toEqual([blog.id]);
    const kit = await api.brandKits.create({ name: "Kit" });
    expect(await api.brandKits.update(kit.id, { name: "New" })).toMatchObject({ id: kit.id, name: "New" });
    expect(await api.brandKits.get(kit.id)).toMatchObject({ name: "New" });
    await api.brandKits.delete(kit.id);
    expect(await api.brandKits.get(kit.id)).toBeUndefined();
  });

  it("under another route set's address causes an error that names its own route set", async () => {
    const service = await start();
    const wrong = { baseUrl: service.baseUrl("a"), apiKey: service.apiKey, routeSet: "b" } as const;
    expect((await failure(testConnect(wrong))).message).toContain("uses route set A");
  });

  it("completes all requests within a rate limit", async () => {
    const service = await start({ rateLimit: { perKey: 5, windowSeconds: 1 } });
    const { baseUrl, apiKey } = { baseUrl: service.baseUrl("a"), apiKey: service.apiKey };
    const api = await testConnect({ baseUrl, apiKey, sleep: undefined, random: Math.random });
    await Promise.all(Array.from({ length: 12 }, (_, index) => api.pages.create({ ...HOME, slug: `page-${index}` })));
    expect(service.requests().some(({ status }) => status === 429)).toBe(true);
  });
});

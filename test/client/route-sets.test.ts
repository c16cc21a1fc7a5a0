import { describe, expect, it } from "vitest";
import { SILENT_LOGGER } from "../../src/base/log.ts";
import { sha256 } from "../../src/base/hash.ts";
import { failure, testClient } from "./clients.ts";
import { startHost, type Answered, type Received } from "./host.ts";

const PAGE = { slug: "home", html: "<title>Home</title><p>Größe</p>", title: "Home", siteId: "st_1" };

async function formOf({ headers, body }: Received): Promise<FormData> {
  const contentType = headers["content-type"] ?? "";
  return new Response(body, { headers: { "content-type": contentType } }).formData();
}

function recordingLogger() {
  const warnings: string[] = [];
  return { warnings, logger: { ...SILENT_LOGGER, warn: (message: string) => void warnings.push(message) } };
}

describe("a hosted service with route set A", () => {
  it("gets the same request to create and to change a page, and isn't assumed to check conditions", async () => {
    const { baseUrl, received } = await startHost(() => ({ body: { id: "pg_1", slug: "home", url: "/edit/pg_1" } }));
    const api = testClient({ baseUrl });
    const page = await api.pages.create(PAGE);
    await api.pages.create(PAGE, { ifExists: "refuse" });
    await api.pages.update(PAGE, { ifMatch: 3 });
    expect(page).toMatchObject({ id: "pg_1", slug: "home", url: "/edit/pg_1" });
    expect(received.map(({ method, path }) => `${method} ${path}`)).toEqual(Array(3).fill("PUT /api/pages/home"));
    expect(received.map(({ headers }) => [headers["if-none-match"], headers["if-match"]])).toEqual([
      [undefined, undefined],
      ["*", undefined],
      [undefined, '"v3"'],
    ]);
  });

  it("that accepts only html gets nothing else, and the user gets one warning", async () => {
    const { warnings, logger } = recordingLogger();
    const { baseUrl, received } = await startHost(({ body }) => {
      const names = Object.keys(JSON.parse(String(body)));
      return names.join() === "html" ? { body: { slug: "home" } } : { status: 422, body: { error: "unknown fields" } };
    });
    const api = testClient({ baseUrl, logger });
    for (let round = 0; round < 4; round++) await api.pages.update(PAGE);
    expect(received).toHaveLength(6);
    expect(warnings).toEqual([`${baseUrl} accepts a page as JSON, with only the HTML. imprint uses that from now on.`]);
  });

  it("that accepted a title once isn't tested again when it rejects another page", async () => {
    const { baseUrl, received } = await startHost((_, count) =>
      count === 1 ? { body: { slug: "home" } } : { status: 422, body: { error: "html has no body" } },
    );
    const api = testClient({ baseUrl });
    await api.pages.update(PAGE);
    expect((await failure(api.pages.update(PAGE))).message).toContain("html has no body");
    expect(received).toHaveLength(2);
  });

  it("returns a page's HTML if it shows it", async () => {
    const answers: Readonly<Record<string, Answered>> = {
      full: { body: { slug: "full", html: "<p>" } },
      wrapped: { body: { data: { slug: "wrapped", html: "<b>" } } },
      strict: { body: { slug: "strict", id: "pg_1" } },
      missing: { status: 404, body: { error: "no such page" } },
    };
    const { baseUrl } = await startHost(({ path }) => answers[path.split("/").at(-1) ?? ""] ?? {});
    const api = testClient({ baseUrl });
    const read = Object.keys(answers).map((slug) => api.pages.readHtml(slug));
    expect(await Promise.all(read)).toEqual(["<p>", "<b>", undefined, undefined]);
  });

  it("that doesn't know `include` is asked without it", async () => {
    const { baseUrl, received } = await startHost(({ query }) =>
      "include" in query ? { status: 400, body: {} } : { body: { slug: "home", html: "<p>" } },
    );
    const api = testClient({ baseUrl });
    expect([await api.pages.readHtml("home"), await api.pages.readHtml("home")]).toEqual(["<p>", "<p>"]);
    expect(received).toHaveLength(3);
  });

  it("can report a deleted page as missing, but not with a web page", async () => {
    const { baseUrl } = await startHost(({ path }) =>
      path.endsWith("/gone") ? { status: 410, body: {} } : { status: 404, body: "<!doctype html><title>Oops</title>" },
    );
    const api = testClient({ baseUrl });
    expect(await api.pages.get("gone")).toBeUndefined();
    expect(await api.pages.delete("gone")).toBeUndefined();
    expect((await failure(api.pages.delete("other"))).code).toBe("SERVICE_WRONG_ADDRESS");
  });

  it("may have lost the response to a conditional request: the client recognizes its own change", async () => {
    let html: string | undefined;
    const { baseUrl } = await startHost(({ method, headers, body }) => {
      if (method === "GET") return { body: { slug: "home", html } };
      if (html !== undefined && headers["if-match"] !== undefined) return { status: 412, body: {} };
      const isFirst = html === undefined;
      html = JSON.parse(String(body)).html;
      return isFirst ? { status: 502, body: "lost" } : { body: { slug: "home", version: 4 } };
    });
    const page = await testClient({ baseUrl }).pages.update(PAGE, { ifMatch: 3 });
    expect(page).toMatchObject({ slug: "home", version: 4 });
  });

  it("may have another client's change, which is reported even after a lost response", async () => {
    const { baseUrl } = await startHost(({ method }, count) => {
      if (method === "GET") return { body: { slug: "home", html: "<p>theirs" } };
      return { status: count === 1 ? 502 : 412, body: {} };
    });
    const error = await failure(testClient({ baseUrl }).pages.update(PAGE, { ifMatch: 3 }));
    expect(error.code).toBe("VERSION_MISMATCH");
  });
});

describe("a hosted service with route set B", () => {
  const CREATED = {
    id: "pg_1",
    slug: "home",
    title: "Home",
    url: "https://pages.example.org/p/home",
    status: "published",
    createdAt: "2026-08-01T10:00:00.000Z",
  };

  it("gets a new page as a form with the three specified parts", async () => {
    const { baseUrl, received } = await startHost(() => ({ status: 201, body: CREATED }));
    const api = testClient({ baseUrl, routeSet: "b" });
    const page = await api.pages.create({ slug: "home", title: "Home", html: PAGE.html }, { idempotencyKey: "k" });
    expect(page).toMatchObject({ publicUrl: CREATED.url, createdAt: new Date(CREATED.createdAt) });
    const [request] = received;
    if (request === undefined) throw new Error("nothing was received");
    const form = await formOf(request);
    const file = form.get("html");
    expect([...form.keys()]).toEqual(["html", "title", "slug"]);
    expect(file instanceof File && [file.type, await file.text()]).toEqual(["text/html", PAGE.html]);
    expect([request.method, request.path, request.headers["idempotency-key"]]).toEqual(["POST", "/api/pages", "k"]);
  });

  it("reveals in a page's address where pages are published", async () => {
    const { baseUrl } = await startHost(() => ({ body: { data: [CREATED], nextCursor: null } }));
    const api = testClient({ baseUrl, routeSet: "b" });
    expect(api.capabilities.pagesUrl).toBeUndefined();
    await api.pages.list();
    expect(api.capabilities.pagesUrl).toBe("https://pages.example.org");
  });

  it("gets a changed page as a form, and as JSON if it rejects forms", async () => {
    const { warnings, logger } = recordingLogger();
    const { baseUrl, received } = await startHost(({ headers }) =>
      headers["content-type"]?.startsWith("multipart/") === true ? { status: 415 } : { body: CREATED },
    );
    const api = testClient({ baseUrl, routeSet: "b", logger });
    await api.pages.update(PAGE);
    await api.pages.update(PAGE);
    expect(received.map(({ headers }) => headers["content-type"]?.split(";")[0])).toEqual([
      "multipart/form-data",
      "application/json",
      "application/json",
    ]);
    expect(JSON.parse(String(received[2]?.body))).toEqual({ html: PAGE.html, title: "Home", siteId: "st_1" });
    expect(warnings).toEqual([`${baseUrl} accepts a page as JSON. imprint uses that from now on.`]);
  });

  it("returns a page byte for byte, and nothing for a missing one", async () => {
    const html = "<!doctype html>\r\n<p>ä\u0000</p>";
    const { baseUrl } = await startHost(({ path }) =>
      path === "/api/pages/home/raw"
        ? { body: html, headers: { "content-type": "text/html" } }
        : { status: 404, body: "<!doctype html><title>Nothing here</title>" },
    );
    const api = testClient({ baseUrl, routeSet: "b" });
    expect(sha256((await api.pages.readHtml("home")) ?? "")).toBe(sha256(html));
    expect(await api.pages.readHtml("other")).toBeUndefined();
  });

  it.each([
    [{ data: [{ id: "as_1", url: "/f/a.png" }] }],
    [{ id: "as_1", url: "/f/a.png" }],
    [[{ assetId: "as_1", src: "/f/a.png" }]],
    [{ assets: [{ assetId: "as_1", src: "/f/a.png" }] }],
  ])("returns the uploaded image in %j", async (body) => {
    const { baseUrl, received } = await startHost(() => ({ status: 201, body }));
    const asset = { name: "ä.png", contentType: "image/png", bytes: Buffer.from([0, 255, 13, 10]), alt: "An A" };
    const uploaded = await testClient({ baseUrl, routeSet: "b" }).assets.upload(asset);
    expect(uploaded).toMatchObject({ id: "as_1", url: `${baseUrl}/f/a.png` });
    const [request] = received;
    const form = request === undefined ? undefined : await formOf(request);
    const file = form?.get("file");
    expect(file instanceof File && [file.name, [...(await file.bytes())]]).toEqual(["ä.png", [0, 255, 13, 10]]);
    expect(form?.get("alt")).toBe("An A");
  });

  it("gets a site in full when it changes", async () => {
    const { baseUrl, received } = await startHost(() => ({ status: 204 }));
    const site = await testClient({ baseUrl, routeSet: "b" }).sites.update("st_1", { name: "Site", slug: "site" });
    expect(site).toEqual({ id: "st_1" });
    expect(received.map(({ method, path }) => `${method} ${path}`)).toEqual(["PUT /api/sites/st_1"]);
  });
});

describe("operations outside a route set", () => {
  const SITE = { name: "Site" };
  const FONT = { name: "a.woff2", contentType: "font/woff2", bytes: Buffer.from("x") };
  const KIT = { name: "Kit" };
  const IMPORT = { url: "https://x.example/a.png" };
  it.each([
    ["b", "pages.get", (api: Api) => api.pages.get("home")],
    ["b", "sites.get", (api: Api) => api.sites.get("st_1")],
    ["b", "sites.delete", (api: Api) => api.sites.delete("st_1")],
    ["b", "assets.patch", (api: Api) => api.assets.update("as_1", { alt: "x" })],
    ["b", "assets.delete", (api: Api) => api.assets.delete("as_1")],
    ["b", "blogs.list", (api: Api) => api.blogs.list()],
    ["b", "brandKits.get", (api: Api) => api.brandKits.get("bk_1")],
    ["b", "brandKits.put", (api: Api) => api.brandKits.update("bk_1", KIT)],
    ["b", "brandKits.delete", (api: Api) => api.brandKits.delete("bk_1")],
    ["a", "assets.import", (api: Api) => api.assets.importFrom(IMPORT)],
  ] as const)("set %s: %s is rejected before any request, by name", async (routeSet, operation, call) => {
    const { baseUrl, received } = await startHost(() => ({ body: {} }));
    const error = await failure(call(testClient({ baseUrl, routeSet })));
    expect(error.code).toBe("NOT_SUPPORTED");
    expect(error.message).toBe(`Route set ${routeSet.toUpperCase()}, which ${baseUrl} uses, has no ${operation}.`);
    expect(error.hint).toContain("if the service offers it (`routeSet: ");
    expect(received).toEqual([]);
  });

  it.each(["a", "b"] as const)("set %s: posts are changed only if the service announces it", async (routeSet) => {
    const { baseUrl, received } = await startHost(() => ({ body: {} }));
    const api = testClient({ baseUrl, routeSet });
    const errors = [await failure(api.posts.update("bl_1", "a", {})), await failure(api.posts.delete("bl_1", "a"))];
    expect(errors.map(({ code }) => code)).toEqual(["NOT_SUPPORTED", "NOT_SUPPORTED"]);
    expect(errors[0]?.message).toContain("doesn't announce posts.patch");
    expect(received).toEqual([]);
  });

  it("set B: a file that isn't an image is rejected before any request", async () => {
    const { baseUrl, received } = await startHost(() => ({ body: {} }));
    const error = await failure(testClient({ baseUrl, routeSet: "b" }).assets.upload(FONT));
    expect(error.code).toBe("NOT_SUPPORTED");
    expect(error.message).toContain("a.woff2 isn't an image (font/woff2)");
    expect(received).toEqual([]);
  });

  it("don't include those of both sets", async () => {
    for (const routeSet of ["a", "b"] as const) {
      const { baseUrl, received } = await startHost(() => ({ body: { data: [], id: "x_1" } }));
      const api = testClient({ baseUrl, routeSet });
      await api.pages.list();
      await api.sites.list();
      await api.sites.create(SITE);
      await api.assets.list();
      await api.blogs.create({ name: "Blog" });
      await api.posts.list("bl_1");
      await api.brandKits.list();
      await api.brandKits.create(KIT);
      expect(received).toHaveLength(8);
    }
  });
});

type Api = ReturnType<typeof testClient>;

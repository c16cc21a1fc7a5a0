import { describe, expect, it } from "vitest";
import { outcomeOf } from "../../src/client.ts";
import { failure, testClient } from "./clients.ts";
import { startHost, type Answered } from "./host.ts";

const PAGE = { slug: "home", html: "<p>", title: "Home" };
const FILE = { name: "a-1f.png", contentType: "image/png", bytes: Buffer.from("png") };

/** A host whose lists hold these records, and that answers every write like this. */
async function hostWith(list: unknown, written: Answered) {
  return startHost(({ method }) => (method === "GET" ? { body: list } : written));
}

describe.each([200, 201, 202, 204])("a write that is answered with %i and nothing else", (status) => {
  it("counts for pages and posts", async () => {
    const { baseUrl } = await hostWith([], { status });
    const [a, b] = [testClient({ baseUrl }), testClient({ baseUrl, routeSet: "b" })];
    expect(await a.pages.create(PAGE)).toEqual({ slug: "home" });
    expect(await b.pages.create(PAGE)).toEqual({ slug: "home" });
    expect(await a.posts.create("1", { slug: "p", title: "P", html: "<p>" })).toMatchObject({ slug: "p" });
  });

  it("has its id looked up, and is not sent again", async () => {
    const list = [
      { id: 1, name: "Other", url: "/f/other.png" },
      { id: 2, name: "Ours", url: "/f/a-1f.png" },
      { id: 3, name: FILE.name, url: "/f/a-1f.png" },
    ];
    const { baseUrl, received } = await hostWith(list, { status });
    const api = testClient({ baseUrl });
    expect((await api.blogs.create({ name: "Ours" })).id).toBe("2");
    expect((await api.sites.create({ name: "Ours" })).id).toBe("2");
    expect((await api.brandKits.create({ name: "Ours" })).id).toBe("2");
    expect(await api.assets.upload(FILE)).toMatchObject({ id: "3", url: `${baseUrl}/f/a-1f.png` });
    expect(received.map(({ method }) => method)).toEqual("POST GET POST GET POST GET POST GET".split(" "));
  });

  it("changes a site and a brand kit", async () => {
    const { baseUrl } = await hostWith([], { status });
    const api = testClient({ baseUrl });
    expect(await api.sites.update("7", { name: "Site" })).toEqual({ id: "7" });
    expect(await api.brandKits.update("8", { name: "Kit" })).toMatchObject({ id: "8", name: "Kit" });
  });
});

describe("what a creation does not say", () => {
  it("is an error that leaves open whether it happened, where no list tells it either", async () => {
    const { baseUrl, received } = await hostWith([], { status: 201 });
    const error = await failure(testClient({ baseUrl }).blogs.create({ name: "Blog" }));
    expect([error.code, outcomeOf(error)]).toEqual(["RESPONSE_UNREADABLE", "ambiguous"]);
    expect(error.message).toContain('for the blog "Blog", but neither its response nor a list names the id');
    expect(received.filter(({ method }) => method === "POST")).toHaveLength(1);
  });

  it("is not asked for in route set B, which lists no blogs", async () => {
    const { baseUrl, received } = await hostWith([], { status: 201, headers: { location: "/api/blogs/41" } });
    expect((await testClient({ baseUrl, routeSet: "b" }).blogs.create({ name: "Blog" })).id).toBe("41");
    expect(received).toHaveLength(1);
  });

  it("is the address of a file in Location, or its id", async () => {
    const list = [{ id: 9, path: "/files/x.png" }];
    const byAddress = await hostWith([], { status: 201, headers: { location: "/files/a.png" } });
    const byId = await hostWith(list, { status: 201, headers: { location: "/api/library/9" } });
    expect((await testClient(byAddress).assets.upload(FILE)).url).toBe(`${byAddress.baseUrl}/files/a.png`);
    expect((await testClient(byId).assets.upload(FILE)).url).toBe(`${byId.baseUrl}/files/x.png`);
  });

  it.each(["src", "href", "path", "location", "fileUrl"])(
    "is found under %s, relative to the service",
    async (name) => {
      const { baseUrl } = await hostWith([], { status: 201, body: { file: { id: 4, [name]: "/f/a.png" } } });
      expect(await testClient({ baseUrl }).assets.upload(FILE)).toMatchObject({ id: "4", url: `${baseUrl}/f/a.png` });
    },
  );
});

describe.each(["idempotent-replayed", "idempotency-replayed"])("an answer with %s", (header) => {
  it("says so in the record", async () => {
    const body = { id: 1, slug: "home", url: "/x" };
    const { baseUrl } = await hostWith([], { status: 201, headers: { [header]: "true" }, body });
    const [a, b] = [testClient({ baseUrl }), testClient({ baseUrl, routeSet: "b" })];
    const records = await Promise.all([
      a.pages.create(PAGE),
      b.pages.create(PAGE),
      a.assets.upload(FILE),
      a.posts.create("1", { slug: "p", title: "P", html: "<p>" }),
      a.blogs.create({ name: "Blog" }),
      a.sites.create({ name: "Site" }),
    ]);
    expect(records.map(({ replayed }) => replayed)).toEqual(Array(6).fill(true));
  });
});

describe("an answer that is something else", () => {
  const WORDPRESS = { name: "My blog", description: "", namespaces: ["wp/v2"], routes: { "/": {} } };
  const NO_ROUTE = { code: "rest_no_route", message: "No route was found", data: { status: 404 } };
  const LOGIN = "<!doctype html><title>Log in</title>";

  it.each([
    [{ body: LOGIN, headers: { "content-type": "text/html" } }, "SERVICE_WRONG_ADDRESS"],
    [{ body: '{"id": 1, "slug": "ho', headers: { "content-type": "application/json" } }, "RESPONSE_UNREADABLE"],
    [{ body: WORDPRESS }, "RESPONSE_UNREADABLE"],
    [{ body: NO_ROUTE }, "RESPONSE_UNREADABLE"],
    [{ body: [] }, "RESPONSE_UNREADABLE"],
    [{ body: 7 }, "RESPONSE_UNREADABLE"],
    [{ body: { success: false, message: "No" } }, "SERVICE_REFUSED"],
    [{ body: { success: false, error: { code: 422, message: "Too long." } } }, "SERVICE_REFUSED"],
    [{ body: { ok: false, status: 413 } }, "SERVICE_REFUSED"],
    [{ body: { status: "error" } }, "RESPONSE_UNREADABLE"],
  ] as const)("%j is never taken for something created", async (written, code) => {
    const { baseUrl } = await hostWith([{ id: 1, name: "Blog" }], written);
    const [a, b] = [testClient({ baseUrl }), testClient({ baseUrl, routeSet: "b" })];
    const failures = await Promise.all([
      failure(a.pages.create(PAGE)),
      failure(b.pages.create(PAGE)),
      failure(a.assets.upload(FILE)),
      failure(a.posts.create("1", { slug: "p", title: "P", html: "<p>" })),
      failure(a.sites.create({ name: "Site" })),
    ]);
    expect(failures.map((error) => error.code)).toEqual(Array(5).fill(code));
  });

  it.each([[WORDPRESS], [{ user: "me" }], [[1, 2]], [[{ title: { rendered: "No slug" } }]]])(
    "%j is no list of pages",
    async (body) => {
      const { baseUrl } = await hostWith(body, {});
      expect((await failure(testClient({ baseUrl }).pages.list())).code).toBe("RESPONSE_UNREADABLE");
    },
  );
});

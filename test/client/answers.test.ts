import { describe, expect, it } from "vitest";
import { outcomeOf } from "../../src/client.ts";
import { failure, testClient } from "./clients.ts";
import { startHost, type Answered } from "./host.ts";

const PAGE = { slug: "home", html: "<p>", title: "Home" };
const FILE = { name: "a-1f.png", contentType: "image/png", bytes: Buffer.from("png") };

/** A host whose lists contain these records, and that responds to every write like this. */
async function hostWith(list: unknown, written: Answered) {
  return startHost(({ method }) => (method === "GET" ? { body: list } : written));
}

const BARE: readonly Answered[] = [
  ...[200, 201, 202, 204].map((status) => ({ status })),
  ...[{ body: "OK" }, { status: 201, body: "Created.\n" }, { body: { acknowledged: true, modifiedCount: 1 } }],
];

describe.each(BARE)("a write with the bare response %j", (bare) => {
  it("succeeds for pages and posts", async () => {
    const { baseUrl } = await hostWith([], bare);
    const [a, b] = [testClient({ baseUrl }), testClient({ baseUrl, routeSet: "b" })];
    expect(await a.pages.create(PAGE)).toEqual({ slug: "home" });
    expect(await b.pages.create(PAGE)).toEqual({ slug: "home" });
    expect(await a.posts.create("1", { slug: "p", title: "P", html: "<p>" })).toMatchObject({ slug: "p" });
  });

  it("gets its id from a list, and isn't sent again", async () => {
    const list = [
      { id: 1, name: "Other", url: "/f/other.png" },
      { id: 2, name: "Ours", url: "/f/a-1f.png" },
      { id: 3, name: FILE.name, url: "/f/a-1f.png" },
    ];
    const { baseUrl, received } = await hostWith(list, bare);
    const api = testClient({ baseUrl });
    expect((await api.blogs.create({ name: "Ours" })).id).toBe("2");
    expect((await api.sites.create({ name: "Ours" })).id).toBe("2");
    expect((await api.brandKits.create({ name: "Ours" })).id).toBe("2");
    expect(await api.assets.upload(FILE)).toMatchObject({ id: "3", url: `${baseUrl}/f/a-1f.png` });
    expect(received.map(({ method }) => method)).toEqual("POST GET POST GET POST GET POST GET".split(" "));
  });

  it("updates a site and a brand kit", async () => {
    const { baseUrl } = await hostWith([], bare);
    const api = testClient({ baseUrl });
    expect(await api.sites.update("7", { name: "Site" })).toEqual({ id: "7" });
    expect(await api.brandKits.update("8", { name: "Kit" })).toMatchObject({ id: "8", name: "Kit" });
  });
});

describe.each([
  { jobId: "j1", status: "queued", statusUrl: "/api/jobs/j1" },
  { job: { id: "j1", state: "queued" } },
  { id: "j1" },
])("a write that is accepted for later with the job %j", (body) => {
  const written = { status: 202, headers: { location: "/api/jobs/j1" }, body };

  it("succeeds for pages, without the id of the job, and isn't sent again", async () => {
    const { baseUrl, received } = await hostWith([], written);
    const [a, b] = [testClient({ baseUrl }), testClient({ baseUrl, routeSet: "b" })];
    expect(await a.pages.create(PAGE)).toEqual({ slug: "home" });
    expect(await b.pages.create(PAGE)).toEqual({ slug: "home" });
    expect(received).toHaveLength(2);
  });
});

describe("data missing from a creation's response", () => {
  it("causes an ambiguous error if no list has it either", async () => {
    const { baseUrl, received } = await hostWith([], { status: 201 });
    const error = await failure(testClient({ baseUrl }).blogs.create({ name: "Blog" }));
    expect([error.code, outcomeOf(error)]).toEqual(["RESPONSE_UNREADABLE", "ambiguous"]);
    expect(error.message).toContain('for the blog "Blog", but neither its response nor a list contains the ID');
    expect(received.filter(({ method }) => method === "POST")).toHaveLength(1);
  });

  it("isn't requested in route set B, which can't list blogs", async () => {
    const { baseUrl, received } = await hostWith([], { status: 201, headers: { location: "/api/blogs/41" } });
    expect((await testClient({ baseUrl, routeSet: "b" }).blogs.create({ name: "Blog" })).id).toBe("41");
    expect(received).toHaveLength(1);
  });

  it("comes from Location, as a file's address or id", async () => {
    const list = [{ id: 9, path: "/files/x.png" }];
    const byAddress = await hostWith([], { status: 201, headers: { location: "/files/a.png" } });
    const byId = await hostWith(list, { status: 201, headers: { location: "/api/library/9" } });
    expect((await testClient(byAddress).assets.upload(FILE)).url).toBe(`${byAddress.baseUrl}/files/a.png`);
    expect((await testClient(byId).assets.upload(FILE)).url).toBe(`${byId.baseUrl}/files/x.png`);
  });

  it.each(["src", "href", "path", "location", "fileUrl"])("can be named %s, relative to the service", async (name) => {
    const { baseUrl } = await hostWith([], { status: 201, body: { file: { id: 4, [name]: "/f/a.png" } } });
    expect(await testClient({ baseUrl }).assets.upload(FILE)).toMatchObject({ id: "4", url: `${baseUrl}/f/a.png` });
  });
});

describe.each(["idempotent-replayed", "idempotency-replayed"])("a response with %s", (header) => {
  it("marks the record as replayed", async () => {
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

describe("an unrelated response", () => {
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
  ] as const)("%j is never treated as a created record", async (written, code) => {
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

  it("that is successful by its status, and names a used-up quota, is quoted with that status and not asked again", async () => {
    const { baseUrl, received } = await startHost(({ method }) =>
      method === "GET" ? { body: [] } : { body: { data: null, errors: [{ message: "Monthly pages quota used up" }] } },
    );
    const error = await failure(testClient({ baseUrl }).pages.create(PAGE));
    expect(error.message).toContain(`refused PUT /api/pages/${PAGE.slug} (200). Monthly pages quota used up.`);
    expect(received.filter(({ method }) => method === "PUT")).toHaveLength(1);
  });

  it.each([[WORDPRESS], [{ user: "me" }], [[1, 2]], [[{ title: { rendered: "No slug" } }]]])(
    "%j isn't a list of pages",
    async (body) => {
      const { baseUrl } = await hostWith(body, {});
      expect((await failure(testClient({ baseUrl }).pages.list())).code).toBe("RESPONSE_UNREADABLE");
    },
  );
});

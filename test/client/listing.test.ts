import { describe, expect, it } from "vitest";
import { failure, testClient } from "./clients.ts";
import { startHost } from "./host.ts";

const PAGES = Array.from({ length: 7 }, (_, index) => ({ id: `pg_${index}`, slug: `page-${index}` }));
const SLUGS = PAGES.map((page) => page.slug);

function part(from: number, size = 3) {
  return PAGES.slice(from, from + size);
}

describe("a list is read completely", () => {
  it("with cursors, in as few requests as possible", async () => {
    const { baseUrl, received } = await startHost(({ query }) => {
      const from = Number(query.cursor ?? 0);
      return { body: { data: part(from), nextCursor: from + 3 < 7 ? String(from + 3) : null } };
    });
    const list = await testClient({ baseUrl }).pages.list();
    expect(list.items.map((page) => page.slug)).toEqual(SLUGS);
    expect(list).toMatchObject({ end: "said", total: undefined });
    expect(received.map(({ query }) => query)).toEqual([
      { limit: "100" },
      { limit: "100", cursor: "3" },
      { limit: "100", cursor: "6" },
    ]);
  });

  it("with links to another host, without any request to that host", async () => {
    const { baseUrl, received } = await startHost(({ query }) => {
      const from = Number(query.offset ?? 0);
      const next = `<http://attacker.example/steal?offset=${from + 3}>; rel="next"`;
      return { body: part(from), headers: from + 3 < 7 ? { link: next } : {} };
    });
    const list = await testClient({ baseUrl }).pages.list();
    expect(list.items).toHaveLength(7);
    expect(list.end).toBe("said");
    expect(received.map(({ path }) => path)).toEqual(["/api/pages", "/api/pages", "/api/pages"]);
  });

  it("with page numbers and a total, even if entries appear twice", async () => {
    const { baseUrl } = await startHost(({ query }) => {
      const page = Number(query.page ?? 1);
      return { body: { pages: part(Math.max(0, page * 3 - 4)), page, totalPages: 3, total: 7 } };
    });
    const list = await testClient({ baseUrl }).pages.list();
    expect(list.items.map((page) => page.slug)).toEqual(SLUGS);
    expect(list.total).toBe(7);
  });

  it("by trying the next page if only a total shows that entries are missing", async () => {
    const { baseUrl } = await startHost(({ query }) => {
      return { body: { items: part((Number(query.page ?? 1) - 1) * 3), total: 7 } };
    });
    expect((await testClient({ baseUrl }).pages.list()).items).toHaveLength(7);
  });

  it("by offset if a total shows that entries are missing, and the next page is the first one again", async () => {
    const { baseUrl, received } = await startHost(({ query }) => {
      return { body: part(Number(query.offset ?? 0)), headers: { "x-total-count": "7" } };
    });
    const api = testClient({ baseUrl });
    expect((await api.pages.list()).items.map((page) => page.slug)).toEqual(SLUGS);
    expect(api.dialect).toEqual({ lists: "offset" });
    const before = received.length;
    expect((await api.pages.list()).items).toHaveLength(7);
    expect(received).toHaveLength(before + 3);
  });

  it("by the id of its last entry if only that continues it, as the host's `has_more` doesn't say", async () => {
    const { baseUrl, received } = await startHost(({ query }) => {
      const from = 1 + PAGES.findIndex(({ id }) => id === query["starting_after"]);
      return { body: { object: "list", data: part(from), has_more: from + 3 < 7 } };
    });
    const api = testClient({ baseUrl });
    expect(await api.pages.list()).toMatchObject({ items: PAGES, end: "said" });
    expect(api.dialect).toEqual({ lists: "starting_after" });
    const before = received.length;
    expect((await api.pages.list()).items).toHaveLength(7);
    expect(received).toHaveLength(before + 3);
  });

  it("with `skip` if the host reports it beside a total", async () => {
    const { baseUrl, received } = await startHost(({ query }) => {
      const skip = Number(query["skip"] ?? 0);
      return { body: { results: part(skip), skip, total: 7 } };
    });
    expect(await testClient({ baseUrl }).pages.list()).toMatchObject({ items: PAGES, end: "said" });
    expect(received).toHaveLength(3);
  });

  it.each([
    ["content-range", { "content-range": "0-2/7" }],
    ["x-wp-total", { "x-wp-total": "7", "x-wp-totalpages": "3" }],
  ])("by offset if the header %s has the number of all entries", async (_name, headers) => {
    const { baseUrl } = await startHost(({ query }) => ({ body: part(Number(query.offset ?? 0)), headers }));
    expect(await testClient({ baseUrl }).pages.list()).toMatchObject({ items: PAGES, total: 7 });
  });

  it("with page numbers that begin at zero", async () => {
    const { baseUrl, received } = await startHost(({ query }) => {
      const number = Number(query.page ?? 0);
      return { body: { content: part(number * 3), number, totalPages: 3, totalElements: 7, last: number === 2 } };
    });
    expect(await testClient({ baseUrl }).pages.list()).toMatchObject({ items: PAGES, end: "said", total: 7 });
    expect(received).toHaveLength(3);
  });

  it("without paging data, which is reported as an assumption", async () => {
    const { baseUrl } = await startHost(() => ({ body: part(0) }));
    expect(await testClient({ baseUrl }).pages.list()).toMatchObject({ end: "assumed", total: undefined });
  });

  describe.each([
    { way: "page", startOf: (asked: string | undefined) => (Number(asked ?? 1) - 1) * 10 },
    { way: "offset", startOf: (asked: string | undefined) => Number(asked ?? 0) },
  ] as const)("that ends after 10 entries without paging data", ({ way, startOf }) => {
    const host = (count: number) => {
      const all = Array.from({ length: count }, (_, index) => ({ id: index, slug: `s${index}` }));
      return startHost(({ query }) => ({ body: all.slice(startOf(query[way])).slice(0, 10) }));
    };

    it(`is continued with ${way}, which is remembered`, async () => {
      const { baseUrl, received } = await host(24);
      const api = testClient({ baseUrl });
      const list = await api.pages.list();
      expect(list.items.map(({ slug }) => slug)).toEqual(Array.from({ length: 24 }, (_, index) => `s${index}`));
      expect(list.end).toBe("said");
      expect(api.dialect).toEqual({ lists: way });
      const before = received.length;
      expect((await api.pages.list()).items).toHaveLength(24);
      expect(received).toHaveLength(before + 3);
    });

    it(`is complete if nothing follows with ${way}`, async () => {
      const { baseUrl } = await host(10);
      expect(await testClient({ baseUrl, dialect: { lists: way } }).pages.list()).toMatchObject({ end: "said" });
    });
  });

  it("with 10 entries is considered complete after two attempts if the service has no paging", async () => {
    const body = Array.from({ length: 10 }, (_, index) => ({ id: index, slug: `s${index}` }));
    const answers = [
      () => ({ body }),
      ({ query }: { query: object }) =>
        "page" in query || "offset" in query ? { status: 400, body: { error: "unknown" } } : { body },
    ];
    for (const answer of answers) {
      const { baseUrl, received } = await startHost(answer);
      const api = testClient({ baseUrl });
      expect(await api.pages.list()).toMatchObject({ end: "assumed", items: { length: 10 } });
      expect(received).toHaveLength(3);
      expect(api.dialect).toEqual({});
    }
  });

  it.each([{ slug: "" }, { slug: null }, { attributes: { slug: null, title: "Untitled" } }])(
    "without a page that nobody has named yet: %j",
    async (unnamed) => {
      const { baseUrl } = await startHost(() => ({ body: [...PAGES, { id: "pg_8", status: "draft", ...unnamed }] }));
      expect((await testClient({ baseUrl }).pages.list()).items.map(({ slug }) => slug)).toEqual(SLUGS);
    },
  );

  it("if the ids have another name and the addresses are signed anew in each response", async () => {
    let signed = 0;
    const { baseUrl, received } = await startHost(() => {
      const file = (_: unknown, index: number) => ({ assetId: index, url: `/files/${index}.png?sig=${++signed}` });
      return { body: Array.from({ length: 20 }, file) };
    });
    expect((await testClient({ baseUrl }).assets.list()).items).toHaveLength(20);
    expect(received.filter(({ path }) => path === "/api/library").length).toBeLessThan(5);
  });

  it("with two posts that share a slug, with and without ids", async () => {
    const { baseUrl } = await startHost(({ path }) => ({
      body: path.includes("with-ids")
        ? [
            { id: 1, slug: "a" },
            { id: 2, slug: "a" },
          ]
        : [
            { slug: "a", url: "/1" },
            { slug: "a", url: "/2" },
          ],
    }));
    const api = testClient({ baseUrl });
    expect((await api.posts.list("with-ids")).items).toHaveLength(2);
    expect((await api.posts.list("without")).items).toHaveLength(2);
  });
});

describe("an incomplete list is an error, not a short list", () => {
  const EACH_ONCE = ["cursor", "nextCursor", "after", "start_cursor", "page"].map((name) => ["limit", name]);

  it("if the same cursor repeats", async () => {
    const { baseUrl, received } = await startHost(() => ({ body: { data: part(0), nextCursor: "again" } }));
    const error = await failure(testClient({ baseUrl }).pages.list());
    expect(error.code).toBe("RESPONSE_UNREADABLE");
    expect(error.message).toContain("returns nothing new");
    expect(received.map(({ query }) => Object.keys(query))).toEqual([["limit"], ...EACH_ONCE]);
  });

  it("if the same cursor repeats with an empty page", async () => {
    const { baseUrl, received } = await startHost(() => ({ body: { data: [], nextCursor: "again" } }));
    expect((await failure(testClient({ baseUrl }).pages.list())).code).toBe("RESPONSE_UNREADABLE");
    expect(received).toHaveLength(1 + EACH_ONCE.length);
  });

  it("if cursors change but the entries don't", async () => {
    const { baseUrl, received } = await startHost((_, count) => ({ body: { data: part(0), nextCursor: `c${count}` } }));
    expect((await failure(testClient({ baseUrl }).pages.list())).code).toBe("RESPONSE_UNREADABLE");
    expect(received.map(({ query }) => Object.keys(query))).toEqual([["limit"], ...EACH_ONCE]);
  });

  it("if more entries are announced and the service rejects the request for them", async () => {
    const { baseUrl } = await startHost(({ query }) => {
      return "page" in query
        ? { status: 400, body: { error: "unknown field page" } }
        : { body: { data: part(0), total: 7 } };
    });
    const error = await failure(testClient({ baseUrl }).pages.list());
    expect(error.message).toBe(
      "The list of GET /api/pages announces more after 3 entries, but the next request returns nothing new.",
    );
  });

  it("if nothing follows to the number that it reports, unless the user says that it is complete", async () => {
    for (const paging of [{}, { page: 1 }]) {
      const { baseUrl, received } = await startHost(({ query }) => {
        const page = Number(query.page ?? 1);
        const data = page === 1 && query.offset === undefined ? part(0) : [];
        return { body: { data, total: 7, ...("page" in paging && { page }) } };
      });
      const error = await failure(testClient({ baseUrl }).pages.list());
      expect(error).toMatchObject({ code: "RESPONSE_UNREADABLE", hint: expect.stringContaining('lists: "complete"') });
      expect(received.length).toBeLessThan(30);
      const api = testClient({ baseUrl, dialect: { lists: "complete" } });
      expect(await api.pages.list()).toMatchObject({ items: { length: 3 }, total: undefined, end: "said" });
    }
  });

  it("if it has a record in each line, after one request", async () => {
    const body = PAGES.map((page) => JSON.stringify(page)).join("\n");
    const headers = { "content-type": "application/x-ndjson" };
    const { baseUrl, received } = await startHost(() => ({ body, headers }));
    const error = await failure(testClient({ baseUrl }).pages.list());
    expect(error).toMatchObject({ code: "RESPONSE_UNREADABLE", hint: expect.stringContaining("lists in JSON") });
    expect(received).toHaveLength(1);
  });

  it("if the response contains no list", async () => {
    const { baseUrl } = await startHost(() => ({ body: { ok: true } }));
    const error = await failure(testClient({ baseUrl }).pages.list());
    expect(error.message).toBe("The response to GET /api/pages contains no list of pages; its fields are ok.");
  });
});

describe("a service that rejects a query parameter", () => {
  it("is asked for everything instead, from then on", async () => {
    const { baseUrl, received } = await startHost(({ query }) => {
      const known = Object.keys(query).every((name) => name === "limit");
      return known ? { body: [] } : { status: 400, body: { error: "unknown field" } };
    });
    const api = testClient({ baseUrl });
    await api.assets.list({ hash: "a".repeat(64) });
    await api.assets.list({ hash: "b".repeat(64) });
    expect(received.map(({ query }) => Object.keys(query))).toEqual([["limit", "hash"], ["limit"], ["limit"]]);
  });

  it("gets no parameter at all if it also rejects a limit", async () => {
    const { baseUrl, received } = await startHost(({ query }) =>
      Object.keys(query).length === 0 ? { body: [] } : { status: 422, body: {} },
    );
    const api = testClient({ baseUrl });
    await api.pages.list({ siteId: "st_1" });
    await api.pages.list({ siteId: "st_1" });
    await api.sites.list();
    expect(received.map(({ query }) => Object.keys(query))).toEqual([
      ["limit", "siteId"],
      ["limit"],
      [],
      [],
      ["limit"],
      [],
    ]);
  });

  it("is distinguished from one that rejects the request itself", async () => {
    const { baseUrl } = await startHost(() => ({ status: 400, body: { error: "no account" } }));
    const error = await failure(testClient({ baseUrl }).pages.list());
    expect(error.code).toBe("SERVICE_REFUSED");
    expect(error.message).toContain("no account");
  });
});

describe("a list with the posts of all blogs", () => {
  const posts = [
    { id: "po_1", blogId: "bl_1", slug: "hello" },
    { id: "po_2", blog: { id: "bl_2" }, slug: "hello" },
    { id: "po_3", blog: "bl_2", slug: "second" },
    { id: "po_4", slug: "unnamed" },
  ];
  const open = async (listed: readonly unknown[]) => {
    const { baseUrl } = await startHost(({ path, method }) => {
      if (method === "POST") return { status: 201, body: { id: "bl_3" } };
      return { body: path.endsWith("/posts") ? listed : [{ id: "bl_1" }, { id: "bl_2" }] };
    });
    const api = testClient({ baseUrl });
    const list = async (blogId: string) => (await api.posts.list(blogId)).items.map(({ id }) => id);
    return { api, list };
  };

  it("is reduced to those of the blog, and to those that name none", async () => {
    const { list } = await open(posts);
    expect(await list("bl_2")).toEqual(["po_2", "po_3", "po_4"]);
  });

  it("has none of a blog that was just listed or created", async () => {
    const { api, list } = await open(posts.slice(0, 2));
    expect(await list("bl_3")).toEqual(["po_1", "po_2"]);
    await api.blogs.create({ name: "Notes", slug: "notes" });
    expect(await list("bl_3")).toEqual([]);
  });

  it("is kept if the blog was named by its slug", async () => {
    const { list } = await open([{ id: "po_1", blogId: "bl_1", slug: "hello" }]);
    expect(await list("notes")).toEqual(["po_1"]);
  });
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatCursor, parseCursor } from "../../src/service/store/keyset.ts";
import { clientOf, openService, type Send } from "./open-service.ts";

async function readAll(send: Send, path: string, between: () => Promise<unknown> = async () => {}): Promise<unknown[]> {
  const slugs: unknown[] = [];
  let cursor: unknown = "";
  do {
    const more = cursor === "" ? "" : `&cursor=${String(cursor)}`;
    const { body, items } = await send("GET", `${path}${more}`);
    slugs.push(...items.map(({ slug }) => slug));
    cursor = body.nextCursor;
    await between();
  } while (cursor !== null);
  return slugs;
}

describe("lists", () => {
  it("neither skip nor repeat a record while others are added", async () => {
    const send = clientOf(openService(), { routeSet: "a" });
    await send("POST", "/api/_seed", { json: { pages: 25 } });
    let added = 0;
    const slugs = await readAll(send, "/api/pages?limit=4", async () => {
      await send("PUT", `/api/pages/late-${added++}`, { json: { html: "<p>late</p>" } });
    });
    const seeded = slugs.filter((slug) => String(slug).startsWith("seed-"));
    expect(new Set(seeded).size).toBe(25);
    expect(seeded).toHaveLength(25);
  });

  it("don't repeat a record while others are deleted", async () => {
    const send = clientOf(openService(), { routeSet: "a" });
    await send("POST", "/api/_seed", { json: { pages: 10 } });
    let deleted = 0;
    const slugs = await readAll(send, "/api/pages?limit=3", async () => {
      await send("DELETE", `/api/pages/seed-${++deleted}`);
    });
    expect(new Set(slugs).size).toBe(slugs.length);
  });

  it("link to the next page, with the same filters", async () => {
    const service = openService();
    const send = clientOf(service, { routeSet: "a" });
    await send("POST", "/api/_seed", { json: { pages: 3 } });
    const { headers, body } = await send("GET", "/api/pages?limit=2&status=published");
    const cursor = String(body.nextCursor);
    const url = `${service.baseUrl("a")}/api/pages?limit=2&status=published&cursor=${cursor}`;
    expect(headers.get("Link")).toBe(`<${url}>; rel="next"`);
    const next = await service.fetch(new Request(url, { headers: { Authorization: `Bearer ${service.apiKey}` } }));
    expect(await next.json()).toMatchObject({ data: [{ status: "published" }], nextCursor: null });
  });

  it("return 50 records per page by default", async () => {
    const send = clientOf(openService(), { routeSet: "a" });
    await send("POST", "/api/_seed", { json: { pages: 51 } });
    expect((await send("GET", "/api/pages")).items).toHaveLength(50);
    expect((await send("GET", "/api/pages?limit=100")).items).toHaveLength(51);
    expect((await send("GET", "/api/pages?limit=101")).body.code).toBe("invalid_query");
  });

  it.each([
    ["?status=draft", ["draft"]],
    ["?q=50%25", ["percent"]],
    ["?q=_", []],
    ["?q=PERC", ["percent"]],
    ["?siteId=st_none", []],
    ["?updatedSince=2999-01-01", []],
  ])("of pages can be filtered by %s", async (query, expected) => {
    const send = clientOf(openService(), { routeSet: "a" });
    await send("PUT", "/api/pages/draft", { json: { html: "<p>1</p>", title: "Draft", status: "draft" } });
    await send("PUT", "/api/pages/percent", { json: { html: "<p>2</p>", title: "50% off" } });
    const { items } = await send("GET", `/api/pages${query}`);
    expect(items.map(({ slug }) => slug)).toEqual(expected);
  });

  it("return only the requested fields", async () => {
    const send = clientOf(openService(), { routeSet: "b" });
    await send("PUT", "/api/pages/one", { json: { html: "<p>1</p>" } });
    const { items } = await send("GET", "/api/pages?fields=slug,contentHash");
    expect(items.map((item) => Object.keys(item))).toEqual([["slug", "contentHash"]]);
    expect((await send("GET", "/api/pages?fields=slug,nonsense")).body.code).toBe("invalid_query");
  });

  it.each(["cursor=nonsense", "limit=0", "limit=x", "limit=1&limit=2", "unknown=1", "status=nope"])(
    "reject the query ?%s",
    async (query) => {
      const send = clientOf(openService(), { routeSet: "a" });
      const { status, body } = await send("GET", `/api/pages?${query}`);
      expect([status, body.code]).toEqual([400, "invalid_query"]);
    },
  );

  it("can omit records younger than a lag, to simulate other services", async () => {
    const send = clientOf(openService({ quirks: { listLagMs: 5000 } }), { routeSet: "a" });
    await send("PUT", "/api/pages/one", { json: { html: "<p>1</p>" } });
    expect((await send("GET", "/api/pages")).items).toHaveLength(0);
    await send("POST", "/api/_clock", { json: { advanceMs: 5000 } });
    expect((await send("GET", "/api/pages")).items).toHaveLength(1);
  });

  it.each([
    ["unpaged", 120],
    ["cut", 50],
  ] as const)("can be %s without paging data, to simulate other services", async (lists, length) => {
    const send = clientOf(openService({ quirks: { lists } }), { routeSet: "a" });
    await send("POST", "/api/_seed", { json: { pages: 120 } });
    const { body, items, headers } = await send("GET", "/api/pages");
    expect(items).toHaveLength(length);
    expect(Object.keys(body)).toEqual(["data"]);
    expect(headers.get("Link")).toBeNull();
  });
});

describe("cursors", () => {
  it("decode to the position that they encode", () => {
    fc.assert(
      fc.property(fc.nat(), fc.string(), (key, id) => {
        expect(parseCursor(formatCursor({ key, id }))).toEqual({ key, id });
      }),
    );
  });

  it("never fail on invalid input: they are rejected or read", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const position = parseCursor(text);
        expect(position === undefined || typeof position.id === "string").toBe(true);
      }),
    );
  });
});

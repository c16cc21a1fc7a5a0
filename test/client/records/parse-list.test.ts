import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseListPart, type ListContext } from "../../../src/client/records/parse-list.ts";

const ITEMS = [{ id: 1 }, { id: 2 }];
const CONTEXT: ListContext = { names: ["pages"], headers: new Map(), query: { limit: "100" }, before: 0 };

function link(value: string): ListContext {
  return { ...CONTEXT, headers: new Map([["link", value]]) };
}

describe("the list in a response", () => {
  it.each([
    ["bare", ITEMS],
    ["in data", { data: ITEMS }],
    ["in items", { items: ITEMS }],
    ["under its name", { pages: ITEMS }],
    ["in results", { results: ITEMS, facets: [] }],
    ["in data.items", { data: { items: ITEMS } }],
    ["in data, beside the page count", { data: ITEMS, pages: 1 }],
    ["as the only list", { ok: true, whatever: ITEMS }],
    ["by index, with gaps", { pages: { 0: ITEMS[0], 5: ITEMS[1] } }],
    ["by ID", { data: { items: { 1: ITEMS[0], 2: ITEMS[1] } } }],
    ["by index, without a name", { 0: ITEMS[0], 3: ITEMS[1] }],
  ])("is found %s", (_, json) => {
    expect(parseListPart(json, CONTEXT)?.items).toEqual(ITEMS);
  });

  it.each([
    [null],
    [{ pages: {} }],
    [{ data: { items: {} } }],
    [{ data: null }],
    [{ pages: null, total: 0 }],
    [{ data: { items: null } }],
  ])("is empty in %j", (json) => {
    expect(parseListPart(json, CONTEXT)?.items).toEqual([]);
  });

  const others = [
    {},
    { data: {} },
    { data: { user: { id: 1 } } },
    { error: "no" },
    { a: [], b: [] },
    "text",
    undefined,
  ];
  it.each([
    ...others,
    { data: null, error: "no" },
    { pages: {}, error: "no" },
    { ok: false, result: null },
    { author: null },
  ])("isn't found in %j", (json) => {
    expect(parseListPart(json, CONTEXT)).toBeUndefined();
  });
});

describe("the next page", () => {
  const next = (query: Record<string, string>) => ({ kind: "query", query });
  const place = (value: string, ...parameters: readonly string[]) => ({ kind: "place", value, parameters });
  const CURSORS = ["cursor", "after", "start_cursor", "page"];
  const PAGES = ["page", "pagination[page]", "page[number]", "pageNumber"];
  it.each([
    [{ data: ITEMS, nextCursor: "c2" }, place("c2", "cursor", "nextCursor", ...CURSORS.slice(1))],
    [{ data: ITEMS, next_cursor: "c2" }, place("c2", "cursor", "next_cursor", ...CURSORS.slice(1))],
    [{ data: ITEMS, meta: { next_cursor: "c2" } }, place("c2", "cursor", "next_cursor", ...CURSORS.slice(1))],
    [{ data: ITEMS, pagination: { next: "c2" } }, place("c2", ...CURSORS)],
    [{ data: ITEMS, cursor: { next: "c2" } }, place("c2", ...CURSORS)],
    [
      { data: ITEMS, pageInfo: { hasNextPage: true, endCursor: "c2" } },
      place("c2", "after", ...CURSORS.filter((name) => name !== "after")),
    ],
    [{ data: ITEMS, nextPageToken: "c2" }, place("c2", "pageToken", "nextPageToken", ...CURSORS)],
    [{ data: ITEMS, next: "https://other.example/api/pages?page=2&limit=5" }, next({ page: "2", limit: "5" })],
    [{ data: ITEMS, next: "?page=2" }, next({ page: "2" })],
    [{ data: ITEMS, links: { next: "/api/pages?cursor=c2" } }, next({ cursor: "c2" })],
    [{ data: ITEMS, _links: { next: { href: "/api/pages?cursor=c2" } } }, next({ cursor: "c2" })],
    [{ data: ITEMS, next: 2 }, place("2", ...PAGES)],
    [{ data: ITEMS, page: 1, total: 5 }, place("2", ...PAGES)],
    [{ data: ITEMS, meta: { currentPage: 1, lastPage: 3 } }, place("2", ...PAGES)],
    [{ data: ITEMS, offset: 0, limit: 2, total: 5 }, place("2", "offset", "pagination[start]", "page[offset]")],
    [{ data: ITEMS, nextCursor: null, next: "c2" }, place("c2", ...CURSORS)],
    [{ data: ITEMS, hasMore: true }, { kind: "more" }],
    [{ data: ITEMS, total: 5 }, { kind: "more" }],
    [{ data: ITEMS, next: "/api/pages/second-part" }, { kind: "more" }],
    [{ data: ITEMS, nextCursor: null }, { kind: "end" }],
    [{ data: ITEMS, nextCursor: "" }, { kind: "end" }],
    [{ data: ITEMS, links: { next: null } }, { kind: "end" }],
    [{ data: ITEMS, hasMore: false, cursor: "c1" }, { kind: "end" }],
    [{ data: ITEMS, pageInfo: { hasNextPage: false, endCursor: "c1" } }, { kind: "end" }],
    [{ data: ITEMS, page: 1, total: 2 }, { kind: "end" }],
    [{ data: ITEMS, page: 3, totalPages: 3 }, { kind: "end" }],
    [{ data: ITEMS, total: 2 }, { kind: "end" }],
    [{ data: ITEMS }, { kind: "unsaid" }],
    [ITEMS, { kind: "unsaid" }],
  ])("of %j is %j", (json, expected) => {
    expect(parseListPart(json, CONTEXT)?.next).toEqual(expected);
  });

  it("isn't requested with the same cursor again", () => {
    const context = { ...CONTEXT, query: { cursor: "c1" } };
    expect(parseListPart({ data: ITEMS, cursor: "c1" }, context)?.next).toEqual({ kind: "unsaid" });
    expect(parseListPart({ data: ITEMS, cursor: "c2" }, context)?.next).toEqual(place("c2", ...CURSORS));
  });

  it("is read from a Link header, of which only the query is used", () => {
    const header =
      '<https://other.example/api/pages?cursor=a%3Db>; rel="next", <https://other.example/api/pages>; rel="first"';
    expect(parseListPart(ITEMS, link(header))?.next).toEqual(next({ cursor: "a=b" }));
    expect(parseListPart(ITEMS, link("</api/pages?cursor=x>; rel=next"))?.next).toEqual(next({ cursor: "x" }));
    expect(parseListPart(ITEMS, link('</api/pages>; rel="first"'))?.next).toEqual({ kind: "end" });
    expect(parseListPart(ITEMS, link('</style.css>; rel="preload"'))?.next).toEqual({ kind: "unsaid" });
  });
});

it("reads the total from the body or from a header", () => {
  expect(parseListPart({ data: ITEMS, meta: { total: 9 } }, CONTEXT)?.total).toBe(9);
  expect(parseListPart(ITEMS, { ...CONTEXT, headers: new Map([["x-total-count", "9"]]) })?.total).toBe(9);
  expect(parseListPart(ITEMS, CONTEXT)?.total).toBeUndefined();
});

it("never throws, whatever a service sends", () => {
  const paging = fc.dictionary(
    fc.constantFrom(
      "data",
      "items",
      "next",
      "nextCursor",
      "cursor",
      "page",
      "total",
      "links",
      "meta",
      "offset",
      "__proto__",
    ),
    fc.jsonValue(),
  );
  fc.assert(
    fc.property(fc.oneof(fc.jsonValue(), paging), fc.string(), (json, header) => {
      const part = parseListPart(json, link(header));
      expect(part === undefined || Array.isArray(part.items)).toBe(true);
    }),
    { numRuns: 1000 },
  );
});

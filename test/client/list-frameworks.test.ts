import { describe, expect, it } from "vitest";
import { testClient } from "./clients.ts";
import { startHost, type Answered } from "./host.ts";

const COUNT = 37;
const ALL = Array.from({ length: COUNT }, (_, index) => ({ id: `p${index}`, slug: `page-${index}` }));
const SIZE = 15;
const SECRET = "c";

type Query = Readonly<Record<string, string>>;
type Answer = (query: Query) => Answered;

/** The part that a page number requests, and the number of the next one. */
function byPage(asked: string | undefined) {
  const page = Number(asked ?? 1);
  const isLast = page * SIZE >= COUNT;
  return { page, items: ALL.slice((page - 1) * SIZE, page * SIZE), next: isLast ? undefined : page + 1 };
}

/** The part that a cursor requests, and the next cursor; with an unknown cursor the first part, as without one. */
function byCursor(asked: string | undefined) {
  const from = Number(asked?.replace(SECRET, "") ?? 0);
  const next = from + SIZE < COUNT ? `${SECRET}${from + SIZE}` : undefined;
  return { items: ALL.slice(from, from + SIZE), next };
}

function byId(asked: string | undefined) {
  const from = ALL.findIndex(({ id }) => id === asked) + 1;
  return { items: ALL.slice(from, from + SIZE), hasMore: from + SIZE < COUNT };
}

/** How lists of common frameworks and services look; none of them knows `limit`. */
const LISTS: Readonly<Record<string, Answer>> = {
  "Laravel's simplePaginate": (query) => {
    const { page, items, next } = byPage(query["page"]);
    const address = next === undefined ? null : `http://localhost/api/pages?page=${next}`;
    return { body: { current_page: page, data: items, next_page_url: address, path: "/api/pages", per_page: SIZE } };
  },
  OData: (query) => {
    const from = Number(query["$skip"] ?? 0);
    const next = { "@odata.nextLink": `http://localhost/api/pages?$skip=${from + SIZE}` };
    return { body: { value: ALL.slice(from, from + SIZE), ...(from + SIZE < COUNT ? next : {}) } };
  },
  "API Platform's Hydra": (query) => {
    const { items, next } = byPage(query["page"]);
    const more = next === undefined ? {} : { "hydra:next": `/api/pages?page=${next}` };
    return { body: { "hydra:member": items, "hydra:view": { "@id": "/api/pages", "hydra:first": "a", ...more } } };
  },
  Ghost: (query) => {
    const { page, items, next = null } = byPage(query["page"]);
    return { body: { pages: items, meta: { pagination: { page, limit: SIZE, pages: 3, total: COUNT, next } } } };
  },
  Strapi: (query) => {
    const { page, items } = byPage(query["pagination[page]"]);
    const data = items.map(({ id, slug }) => ({ id, attributes: { slug } }));
    return { body: { data, meta: { pagination: { page, pageSize: SIZE, pageCount: 3, total: COUNT } } } };
  },
  Notion: (query) => {
    const { items, next = null } = byCursor(query["start_cursor"]);
    return { body: { object: "list", results: items, next_cursor: next, has_more: next !== null } };
  },
  AWS: (query) => {
    const { items, next } = byCursor(query["NextToken"]);
    return { body: { Pages: items, ...(next === undefined ? {} : { NextToken: next }) } };
  },
  "Google in snake case": (query) => {
    const { items, next = "" } = byCursor(query["page_token"]);
    return { body: { pages: items, next_page_token: next } };
  },
  Slack: (query) => {
    const { items, next = "" } = byCursor(query["cursor"]);
    return { body: { ok: true, pages: items, response_metadata: { next_cursor: next } } };
  },
  HubSpot: (query) => {
    const { items, next } = byCursor(query["after"]);
    return {
      body: { total: COUNT, results: items, ...(next === undefined ? {} : { paging: { next: { after: next } } }) },
    };
  },
  "HubSpot with a link": (query) => {
    const { items, next } = byCursor(query["after"]);
    const more = next === undefined ? {} : { paging: { next: { after: next, link: `?after=${next}` } } };
    return { body: { total: COUNT, results: items, ...more } };
  },
  Jira: (query) => {
    const from = Number(query["startAt"] ?? 0);
    return { body: { startAt: from, maxResults: SIZE, total: COUNT, values: ALL.slice(from, from + SIZE) } };
  },
  SCIM: (query) => {
    const from = Number(query["startIndex"] ?? 1);
    const items = ALL.slice(from - 1, from - 1 + SIZE);
    return { body: { totalResults: COUNT, startIndex: from, itemsPerPage: SIZE, Resources: items } };
  },
  "WordPress.com": (query) => {
    const { items, next } = byCursor(query["page_handle"]);
    return { body: { found: COUNT, pages: items, meta: next === undefined ? {} : { next_page: next } } };
  },
  "a cursor in a header": (query) => {
    const { items, next } = byCursor(query["cursor"]);
    return { body: items, headers: { "x-next-cursor": next } };
  },
  "ASP.NET's X-Pagination": (query) => {
    const { page, items } = byPage(query["pageNumber"]);
    const paging = { TotalCount: COUNT, PageSize: SIZE, CurrentPage: page, TotalPages: 3, HasNext: page < 3 };
    return { body: items, headers: { "x-pagination": JSON.stringify(paging) } };
  },
  "the id of the last entry as `after`": (query) => {
    const { items, hasMore } = byId(query["after"]);
    return { body: { pages: items, more: hasMore } };
  },
  "an array alone, of Laravel's usual length": (query) => ({ body: byPage(query["page"]).items }),
};

describe.each(Object.entries(LISTS))("a list like that of %s", (_name, answer) => {
  it("is read completely, and again with the parameter that was found", async () => {
    const { baseUrl, received } = await startHost(({ query }) => answer(query));
    const api = testClient({ baseUrl });
    const wanted = { items: ALL.map(({ slug }) => expect.objectContaining({ slug })), end: "said" };
    expect(await api.pages.list()).toMatchObject(wanted);
    const before = received.length;
    expect(await api.pages.list()).toMatchObject(wanted);
    const parts = Math.ceil(COUNT / SIZE);
    expect(received.length - before).toBe(parts);
  });
});

describe.each([10, 60, 150])(
  "a list whose next addresses don't repeat the limit, with %i entries by default",
  (usual) => {
    const many = Array.from({ length: 261 }, (_, index) => ({ id: `p${index}`, slug: `page-${index}` }));
    const partOf = ({ page = "1", limit = String(usual) }: Query) =>
      many.slice(...boundsOf(Number(page), Number(limit)));
    const boundsOf = (page: number, size: number) => [(page - 1) * size, page * size] as const;

    it.each([
      ["Laravel", (next: string) => ({ next_page_url: next })],
      ["HAL", (next: string) => ({ _links: { next: { href: next } } })],
      ["Django REST framework", (next: string) => ({ next, count: many.length })],
    ])("is read completely, as %s shows it", async (_name, showNext) => {
      const { baseUrl } = await startHost(({ query }) => {
        const [page, size] = [Number(query.page ?? 1), Number(query.limit ?? usual)];
        const next = page * size < many.length ? showNext(`http://localhost/api/pages?page=${page + 1}`) : {};
        return { body: { data: partOf(query), ...next } };
      });
      const { items } = await testClient({ baseUrl }).pages.list();
      expect(items.map(({ slug }) => slug)).toEqual(many.map(({ slug }) => slug));
    });
  },
);

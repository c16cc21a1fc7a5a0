import { describe, expect, it } from "vitest";
import type { ServiceOptions } from "../../../src/service.ts";
import { clientOf, openService } from "../open-service.ts";
import { FIREFOX, leave, send, view } from "./beacon.ts";
import { COMBINATIONS, CONTACT, publishPage, submit } from "./visiting.ts";

const NOW = new Date("2026-08-10T10:30:00Z");

function open(options: ServiceOptions = {}) {
  const service = openService({ now: () => NOW, ...options });
  return { service, a: clientOf(service, { routeSet: "a" }), b: clientOf(service, { routeSet: "b" }) };
}

describe.each(COMBINATIONS)("analytics in route set $routeSet, $mode", ({ routeSet, mode }) => {
  it("report what visitors did on a page", async () => {
    const { service } = open({ strict: mode === "strict" });
    const read = clientOf(service, { routeSet });
    const id = await publishPage(service, "contact", CONTACT);
    await send(service, view(id, { r: "news.example.org" }));
    await send(service, view(id, { k: "bbbbbbbbbbbb", w: 400 }), { "User-Agent": `${FIREFOX} phone` });
    await send(
      service,
      leave(id, {
        c: [
          [500, 100, "a"],
          [505, 111, "a"],
        ],
      }),
    );
    await send(service, leave(id, { k: "bbbbbbbbbbbb", w: 400, s: 100, e: 21 }));
    await submit(service, "contact", { fields: { name: "x" } });
    const numbers = { id, slug: "contact", title: "Contact", views: 2, visitors: 2, clicks: 2, submissions: 1 };
    const totals = { ...numbers, avgScroll: 75, avgSeconds: 15.5 };
    const range = { from: "2026-07-12", to: "2026-08-10" };
    if (routeSet === "a") {
      const { body } = await read("GET", "/api/analytics/pages");
      const sums = { views: 2, visitors: 2, submissions: 1 };
      expect(body).toEqual({ data: [totals], totals: sums, ...range, nextCursor: null });
      return;
    }
    const { body } = await read("GET", `/api/analytics/pages/${id}`);
    const series = Array.from({ length: 30 }, (_, index) => ({
      at: new Date(Date.UTC(2026, 6, 12 + index)).toISOString(),
      ...(index === 29 ? { views: 2, visitors: 2 } : { views: 0, visitors: 0 }),
    }));
    expect(body).toEqual({
      page: { id, slug: "contact", title: "Contact", url: `${service.pagesUrl}/p/contact` },
      ...{ ...range, totals, series },
      referrers: [{ host: "news.example.org", views: 1 }],
      devices: { mobile: 1, tablet: 0, desktop: 1 },
    });
    expect((await read("GET", "/api/analytics/heatmaps?slug=contact")).body).toEqual({
      ...{ pageId: id, device: "all", views: 2, height: 2000 },
      grid: { x: "permille of width", y: "px", cell: 16 },
      points: [{ x: 496, y: 96, count: 2 }],
      elements: [{ selector: "a", count: 2 }],
    });
    const depth = (await read("GET", `/api/analytics/scroll-depth?pageId=${id}`)).body;
    expect(depth).toMatchObject({ pageId: id, device: "all", views: 2, average: 75, median: 75 });
    expect(depth.buckets).toEqual(
      Array.from({ length: 20 }, (_, index) => ({
        depth: 5 * (index + 1),
        ...(index < 10 ? { reached: 2, share: 1 } : { reached: 1, share: 0.5 }),
      })),
    );
  });
});

describe("analytics of all pages", () => {
  it("are sorted by page or by views, and paginated", async () => {
    const { service, a } = open();
    const ids = [];
    for (const slug of ["one", "two", "three"]) ids.push(await publishPage(service, slug, "<p>x</p>"));
    for (const [index, count] of [1, 3, 2].entries()) {
      for (let number = 0; number < count; number++) {
        await send(service, view(ids[index] ?? "", { k: `view0000000${index}${number}` }));
      }
    }
    const slugs = [];
    let cursor = "";
    do {
      const { body, items } = await a("GET", `/api/analytics/pages?sort=views&limit=1${cursor}`);
      slugs.push(...items.map(({ slug, views, visitors }) => [slug, views, visitors]));
      cursor = body.nextCursor === null ? "" : `&cursor=${String(body.nextCursor)}`;
      expect(body.totals).toEqual({ views: 6, visitors: 1, submissions: 0 });
    } while (cursor !== "");
    expect(slugs).toEqual([
      ["two", 3, 1],
      ["three", 2, 1],
      ["one", 1, 1],
    ]);
    expect((await a("GET", "/api/analytics/pages")).items).toHaveLength(3);
  });

  it("can be filtered by site", async () => {
    const { service, a } = open();
    const site = (await a("POST", "/api/sites", { json: { name: "Site" } })).body;
    await a("PUT", "/api/pages/in", { json: { html: "<p>in</p>", siteId: site.id } });
    const inside = String((await a("GET", "/api/pages/in")).body.id);
    const outside = await publishPage(service, "out", "<p>out</p>");
    await send(service, view(inside));
    await send(service, view(outside, { k: "bbbbbbbbbbbb" }), { "User-Agent": `${FIREFOX} other` });
    const { items, body } = await a("GET", `/api/analytics/pages?siteId=${String(site.id)}`);
    expect(items).toMatchObject([{ slug: "in", views: 1 }]);
    expect(body.totals).toEqual({ views: 1, visitors: 1, submissions: 0 });
  });

  it.each([
    ["from=2026-08-02&to=2026-08-01", "invalid_range"],
    ["from=2020-01-01&to=2026-08-01", "invalid_range"],
    ["from=tomorrow", "invalid_query"],
    ["day=1", "invalid_query"],
  ])("with the range %s are rejected", async (query, code) => {
    const { a, b, service } = open();
    await publishPage(service, "one", "<p>x</p>");
    expect((await a("GET", `/api/analytics/pages?${query}`)).body.code).toBe(code);
    expect((await b("GET", `/api/analytics/pages/one?${query}`)).body.code).toBe(code);
    expect((await b("GET", `/api/analytics/heatmaps?slug=one&${query}`)).body.code).toBe(code);
  });
});

describe("analytics of one page", () => {
  it("can be hourly, for a month at most", async () => {
    const { service, b } = open();
    const id = await publishPage(service, "one", "<p>x</p>");
    await send(service, view(id));
    const { body } = await b("GET", "/api/analytics/pages/one?interval=hour&from=2026-08-10");
    const series = Array.isArray(body.series) ? body.series : [];
    expect(series).toHaveLength(24);
    expect(series[10]).toEqual({ at: "2026-08-10T10:00:00.000Z", views: 1, visitors: 1 });
    const long = await b("GET", "/api/analytics/pages/one?interval=hour&from=2026-06-01");
    expect(long.body.code).toBe("invalid_range");
  });

  it.each([
    ["/api/analytics/pages/none", "page_not_found"],
    ["/api/analytics/heatmaps", "page_required"],
    ["/api/analytics/scroll-depth", "page_required"],
    ["/api/analytics/heatmaps?pageId=pg_none", "page_not_found"],
    ["/api/analytics/scroll-depth?slug=none", "page_not_found"],
  ])("at %s are rejected with %s", async (path, code) => {
    const { b } = open();
    expect((await b("GET", path)).body.code).toBe(code);
  });

  it("can be filtered by device and version", async () => {
    const { service, b } = open();
    const id = await publishPage(service, "one", "<p>1</p>");
    await publishPage(service, "one", "<p>2</p>");
    await send(service, view(id, { v: 1 }));
    await send(service, leave(id, { v: 1, s: 10, c: [[0, 0, "a"]] }));
    await send(service, view(id, { v: 2, k: "bbbbbbbbbbbb", w: 800 }));
    await send(service, leave(id, { v: 2, k: "bbbbbbbbbbbb", w: 800, s: 90, h: 3000, c: [[1000, 2999, "b"]] }));
    const read = async (query: string) => (await b("GET", `/api/analytics/${query}`)).body;
    expect(await read("heatmaps?slug=one&version=2")).toMatchObject({
      ...{ views: 1, height: 3000 },
      points: [{ x: 992, y: 2992 }],
      elements: [{ selector: "b" }],
    });
    const desktop = { device: "desktop", views: 1, elements: [{ selector: "a" }] };
    expect(await read("heatmaps?slug=one&device=desktop")).toMatchObject(desktop);
    const none = { views: 0, points: [], elements: [], height: 0 };
    expect(await read("heatmaps?slug=one&device=mobile")).toMatchObject(none);
    expect(await read("scroll-depth?slug=one&version=1")).toMatchObject({ views: 1, median: 10 });
    expect(await read("scroll-depth?slug=one")).toMatchObject({ views: 2, average: 50, median: 50 });
    expect(await read("scroll-depth?slug=one&device=mobile")).toMatchObject({ views: 0, average: 0, median: 0 });
  });

  it("are deleted with the page", async () => {
    const { service, a } = open();
    const id = await publishPage(service, "one", "<p>1</p>");
    await send(service, view(id));
    await a("DELETE", "/api/pages/one");
    await publishPage(service, "one", "<p>1</p>");
    expect((await a("GET", "/api/analytics/pages")).items).toMatchObject([{ views: 0, visitors: 0 }]);
  });
});

describe.each(["a", "b"] as const)("all analytics of one page in one response, route set %s", (routeSet) => {
  it("match the individual operations", async () => {
    const { service, b } = open();
    const id = await publishPage(service, "contact", CONTACT);
    await send(service, view(id));
    await send(service, leave(id, { c: [[500, 100, "#call"]] }));
    const { status, body } = await clientOf(service, { routeSet })("GET", "/api/pages/contact/analytics");
    const single = async (path: string) => (await b("GET", path)).body;
    expect(status).toBe(200);
    expect(body).toEqual({
      ...(await single("/api/analytics/pages/contact")),
      scrollDepth: await single("/api/analytics/scroll-depth?slug=contact"),
      heatmap: await single("/api/analytics/heatmaps?slug=contact"),
    });
    expect(body).toMatchObject({ heatmap: { elements: [{ selector: "#call", count: 1 }] } });
  });

  it("report a page that doesn't exist", async () => {
    const { status, body } = await clientOf(open().service, { routeSet })("GET", "/api/pages/none/analytics");
    expect([status, body.code]).toEqual([404, "page_not_found"]);
  });
});

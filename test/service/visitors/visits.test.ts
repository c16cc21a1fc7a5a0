import { sql } from "kysely";
import { describe, expect, it, onTestFinished } from "vitest";
import { openCore } from "../../../src/service/host/core.ts";
import { resolveSettings } from "../../../src/service/host/options.ts";
import { readTraits } from "../../../src/service/resources/visit-traits.ts";
import { beginVisit } from "../../../src/service/store/visit-days.ts";
import { clientOf, openService } from "../open-service.ts";
import { signIn } from "../dashboard/signed-in.ts";
import { FIREFOX, send, view } from "./beacon.ts";
import { CONTACT, publishPage, submit } from "./visiting.ts";

const SAFARI =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1";
const DESK = `${FIREFOX} desk`;

function open() {
  let now = Date.parse("2026-08-10T10:00:00Z");
  const service = openService({ now: () => new Date(now) });
  let number = 0;
  return {
    service,
    a: clientOf(service, { routeSet: "a" }),
    read: async (query = "", routeSet: "a" | "b" = "a") =>
      (await clientOf(service, { routeSet })("GET", `/api/analytics/visits${query}`)).body,
    wait: (minutes: number) => (now += minutes * 60_000),
    see: async (page: string, userAgent: string, more: object = {}) =>
      await send(service, view(page, { k: `view${String(number++).padStart(12, "0")}`, ...more }), {
        "User-Agent": userAgent,
      }),
  };
}

/** Three visits: from a campaign over two pages, from a search, and half an hour later one without a source. */
async function openVisited() {
  const world = open();
  const home = await publishPage(world.service, "home", "<title>Home</title>");
  const shop = await publishPage(world.service, "shop", "<title>Shop</title>");
  await world.see(home, FIREFOX, {
    r: "www.news.example",
    q: "utm_source=Letter&utm_medium=mail&utm_campaign=Spring+26",
  });
  await world.see(shop, FIREFOX);
  await world.see(home, FIREFOX);
  await world.see(shop, SAFARI, { r: "www.search.example", w: 390 });
  world.wait(31);
  await world.see(home, FIREFOX);
  return { ...world, home, shop };
}

const listed = (value: string, visits: number, name = value) => ({ value, name, visits });

describe("visits", () => {
  it("from links that write the same source in different letter case have one source", async () => {
    const { service, read, see } = open();
    const home = await publishPage(service, "home", "<title>Home</title>");
    await see(home, FIREFOX, { q: "utm_source=Newsletter" });
    await see(home, SAFARI, { q: "utm_source=newsletter" });
    expect((await read("?from=2026-08-10"))["source"]).toEqual([listed("newsletter", 2)]);
  });

  it.each(["a", "b"] as const)("are distinguished by source, page, and client, route set %s", async (routeSet) => {
    const { read } = await openVisited();
    const answer = await read("?from=2026-08-10", routeSet);
    expect(answer).toEqual({
      ...{ from: "2026-08-10", to: "2026-08-10" },
      totals: { visits: 3, all: 3, views: 5, bounces: 2 },
      series: [{ at: "2026-08-10T00:00:00.000Z", visits: 3, views: 5 }],
      source: [listed("direct", 1), listed("letter", 1), listed("search.example", 1)],
      ...{ medium: [listed("mail", 1)], campaign: [listed("Spring 26", 1)], term: [], content: [] },
      browser: [listed("Firefox", 2), listed("Safari", 1)],
      system: [listed("Linux", 2), listed("iOS", 1)],
      device: [listed("desktop", 2), listed("mobile", 1)],
      page: [listed("home", 2, "Home"), listed("shop", 2, "Shop")],
      entryPage: [listed("home", 2, "Home"), listed("shop", 1, "Shop")],
      exitPage: [listed("home", 2, "Home"), listed("shop", 1, "Shop")],
      goal: [],
    });
  });

  it.each([
    ["source=letter", { visits: 1, all: 1, views: 3, bounces: 0 }, ["home", "shop"], ["Firefox"]],
    ["source=direct", { visits: 1, all: 1, views: 1, bounces: 1 }, ["home"], ["Firefox"]],
    ["browser=Firefox&device=desktop", { visits: 2, all: 2, views: 4, bounces: 1 }, ["home", "shop"], ["Firefox"]],
    ["page=shop", { visits: 2, all: 3, views: 2, bounces: null }, ["shop"], ["Firefox", "Safari"]],
    ["entryPage=shop", { visits: 1, all: 3, views: null, bounces: 1 }, ["shop"], ["Safari"]],
    ["exitPage=home&system=Linux", { visits: 2, all: 2, views: null, bounces: null }, ["home"], ["Firefox"]],
    ["source=nobody", { visits: 0, all: 0, views: 0, bounces: 0 }, [], []],
  ])("with the filter %s are the matching ones, in every list", async (filter, ...expected) => {
    const { read } = await openVisited();
    const answer = await read(`?${filter}`);
    const values = (list: unknown) => (list as { value: string }[]).map(({ value }) => value);
    expect([answer["totals"], values(answer["page"]), values(answer["browser"])]).toEqual(expected);
  });

  it.each([
    ["?page=none", "page_not_found"],
    ["?page=home&exitPage=home", "invalid_query"],
    ["?device=watch", "invalid_query"],
    ["?sources=x", "invalid_query"],
    ["?from=2026-08-02&to=2026-08-01", "invalid_range"],
  ])("requested with %s are rejected with %s", async (query, code) => {
    const { read } = await openVisited();
    expect((await read(query)).code).toBe(code);
  });

  it("follow their pages to another site, and are deleted with them", async () => {
    const { read, a, service } = await openVisited();
    const site = String((await a("POST", "/api/sites", { json: { name: "One" } })).body.id);
    await clientOf(service, { routeSet: "a" })("PATCH", "/api/pages/home", { json: { siteId: site } });
    const ofSite = async () => (await read(`?siteId=${site}`))["totals"];
    expect(await ofSite()).toMatchObject({ visits: 2, views: 3, bounces: 1 });
    await a("DELETE", "/api/pages/home");
    expect(await ofSite()).toMatchObject({ visits: 0, views: 0, bounces: 0 });
    expect((await read())["totals"]).toMatchObject({ visits: 1, views: 2, bounces: 1 });
    expect((await read())["entryPage"]).toEqual([listed("shop", 1, "Shop")]);
  });

  it("with a submission or a view of a goal page are conversions, once per visit", async () => {
    const { service, see, read, wait } = await openVisited();
    const contact = await publishPage(service, "contact", CONTACT);
    const send = async (userAgent: string, headers = {}) =>
      await submit(service, "contact", { fields: { name: "x" }, headers: { "User-Agent": userAgent, ...headers } });
    await see(contact, SAFARI, { r: "www.search.example", w: 390 });
    await send(SAFARI);
    await send(SAFARI);
    // Not counted: from visitors without a view, who opted out, or who filled the honeypot.
    await send("curl/8");
    await send(FIREFOX, { "Sec-GPC": "1" });
    await submit(service, "contact", { fields: { name: "x", website: "y" }, headers: { "User-Agent": FIREFOX } });
    const all = await read();
    const [goal] = all["goal"] as { value: string; name: string; visits: number }[];
    expect(all["goal"]).toEqual([{ value: goal?.value, name: expect.stringContaining("on Contact"), visits: 1 }]);
    const converted = await read(`?goal=${goal?.value}`);
    expect(converted).toMatchObject({
      totals: { visits: 1, all: 4, views: null, bounces: null },
      source: [listed("search.example", 1)],
      goal: all["goal"],
      page: [],
    });
    expect((await read("?source=letter"))["goal"]).toEqual([]);
    expect((await read(`?goal=${goal?.value}&source=letter`))["totals"]).toMatchObject({ visits: 0, all: 1 });
    expect((await read("?page=contact"))["totals"]).toMatchObject({ visits: 1, all: 4 });
    expect((await read("?goal=fm_none")).code).toBe("form_not_found");
    wait(31);
    await see(contact, SAFARI);
    await send(SAFARI);
    expect((await read())["goal"]).toMatchObject([{ visits: 2 }]);
    const { get } = await signIn(service);
    const html = await (await get(`/analytics?days=7&goal=${goal?.value}`)).text();
    expect(html.replaceAll(/<[^>]*>/g, "")).toMatch(/2visits.*40%conversion rate/s);
    expect(html).toMatch(/Remove the filter Form sent: .* on Contact"/);
    const none = await (await get(`/analytics?days=7&goal=${goal?.value}&source=none.example`)).text();
    expect(none).toMatch(/Remove the filter Form sent: .* on Contact"/);
    await clientOf(service, { routeSet: "a" })("DELETE", "/api/pages/contact");
    expect((await read())["goal"]).toEqual([]);
  });

  it("of a visitor who signs in end, and count again after signing out", async () => {
    const { service, see, read, home } = await openVisited();
    const count = async () => (await read())["totals"];
    const { get, post } = await signIn(service);
    await see(home, DESK);
    expect(await count()).toMatchObject({ visits: 4, views: 6, bounces: 3 });
    await get("/", { "User-Agent": DESK });
    await see(home, DESK);
    expect(await count()).toMatchObject({ visits: 4, views: 6, bounces: 3 });
    await post("/sign-out", {});
    await see(home, DESK);
    expect(await count()).toMatchObject({ visits: 5, views: 7, bounces: 4 });
  });

  it("are limited in their kinds per day; links beyond the limit become one source", async () => {
    const settings = resolveSettings({
      ephemeral: true,
      databaseUrl: process.env["IMPRINT_TEST_DATABASE_URL"],
      background: false,
    });
    const addresses = { appUrl: "http://localhost:1", pagesUrl: "http://127.0.0.1:1" };
    const core = await openCore(settings, { addresses, handlers: {}, handleKeyHash: "none" });
    onTestFinished(() => core.close());
    const { database } = core.store;
    for (const [index, source] of ["one", "two", "three", "one", "four", "direct"].entries()) {
      const traits = readTraits({ host: source, search: "utm_term=x", userAgent: FIREFOX, device: "desktop" });
      const key = {
        day: 0,
        visitor: Buffer.from([index]),
        siteId: "",
        accountId: "acc",
        pageId: "pg",
        scopes: ["acc"],
      };
      await beginVisit(database, { ...key, traits, now: new Date(0) }, { maxKinds: 2 });
    }
    const { rows } = await sql`select source, term, visits from visit_day where scope = 'acc' order by source`.execute(
      database,
    );
    expect(rows).toEqual([
      { source: "direct", term: "", visits: 1 },
      { source: "one", term: "x", visits: 2 },
      { source: "other", term: "", visits: 2 },
      { source: "two", term: "x", visits: 1 },
    ]);
  });
});

describe("the analytics in the dashboard", () => {
  it("are filtered by a click on a value, and unfiltered by another click", async () => {
    const { service } = await openVisited();
    const { get } = await signIn(service);
    const text = async (path: string) => await (await get(path)).text();
    const all = await text("/analytics?days=7");
    expect(all).toContain('<a href="?days=7&amp;source=search.example">search.example</a>');
    expect(all).toContain('<a href="?days=7&amp;entryPage=shop">Shop</a>');
    const filtered = await text("/analytics?days=7&source=search.example");
    expect(filtered.replaceAll(/<[^>]*>/g, "")).toMatch(/1visits.*1views.*1\.0views per visit.*100%bounce rate/s);
    expect(filtered).toContain("2026-08-10: 1 view, 1 visit");
    expect(filtered).toContain('<a href="?days=7&amp;source=search.example&amp;browser=Safari">Safari</a>');
    expect(filtered).toContain('href="?days=7" aria-label="Remove the filter Source: search.example"');
    expect(filtered).not.toContain("letter");
    expect(filtered).toContain('<input type="hidden" name="source" value="search.example"');
  });

  it("of one page report which visits began and ended there, and can be filtered, too", async () => {
    const { service, shop } = await openVisited();
    const { get } = await signIn(service);
    const html = await (await get(`/analytics/${shop}`)).text();
    expect(html.replaceAll(/<[^>]*>/g, "")).toMatch(/1visits that began here.*1visits that ended here/s);
    expect(html).toContain('<a href="?days=30&amp;source=letter">letter</a>');
    const filtered = await (await get(`/analytics/${shop}?source=letter`)).text();
    expect(filtered).toContain("Firefox");
    expect(filtered).not.toContain("Safari");
  });

  it("are exported with the same filters, safe in spreadsheets", async () => {
    const { service, see, home, wait } = await openVisited();
    wait(31);
    await see(home, FIREFOX, { q: "ref=%3DSUM(1)" });
    const { get } = await signIn(service);
    const answer = await get("/analytics/visits.csv?days=7&entryPage=home&browser=Firefox");
    const lines = (await answer.text()).trim().split("\r\n");
    expect(lines).toContain(`"source","'=sum(1)","'=sum(1)","1"`);
    expect(lines).toContain('"campaign","Spring 26","Spring 26","1"');
    expect(lines).toContain('"entryPage","home","Home","3"');
    expect(lines.join()).not.toContain("Safari");
  });
});

import { sql } from "kysely";
import { describe, expect, it, onTestFinished } from "vitest";
import { openCore, type Core } from "../../../src/service/host/core.ts";
import { resolveSettings } from "../../../src/service/host/options.ts";
import { overviewPages, summarize } from "../../../src/service/resources/analytics.ts";
import { recordView } from "../../../src/service/resources/beacon.ts";
import { inTransaction, type Context } from "../../../src/service/resources/context.ts";
import { editPage, putPage, removePage } from "../../../src/service/resources/pages.ts";
import { createSite, removeSite } from "../../../src/service/resources/sites.ts";
import { analyzeVisits } from "../../../src/service/resources/visits.ts";
import { forgetStats } from "../../../src/service/store/forget-stats.ts";
import type { Slices } from "../../../src/service/store/slices.ts";
import { countEarlierViews } from "../../../src/service/store/views-by-day.ts";
import { sumEarlierVisits } from "../../../src/service/store/sum-visits.ts";
import { slicesOf } from "../store/slices-of.ts";

const DAY = 24 * 60 * 60 * 1000;
const START = Date.parse("2026-08-01T00:00:00Z");
const DAYS = 5;
const HOSTS = ["", "", "news.example", "search.example", "blog.example"];
const WIDTHS = [400, 800, 1400];
const WINDOW = { limit: 100 };
const RANGE = { from: "2026-08-01", to: "2026-08-05" };

/** Pseudo-random numbers that are the same in each run. */
function createDraw(seed: number) {
  let state = seed;
  return (below: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Every single view. */
interface Viewed {
  readonly pageId: string;
  readonly at: number;
  readonly host: string;
  readonly width: number;
}

async function start(seed: number) {
  let time = START;
  const settings = resolveSettings({
    ephemeral: true,
    databaseUrl: process.env["IMPRINT_TEST_DATABASE_URL"],
    background: false,
    now: () => new Date(time),
  });
  const addresses = { appUrl: "http://localhost:1", pagesUrl: "http://127.0.0.1:1" };
  const core: Core = await openCore(settings, { addresses, handlers: {}, handleKeyHash: "none" });
  onTestFinished(() => core.close());
  const draw = createDraw(seed);
  const views: Viewed[] = [];
  const siteOf = new Map<string, string | null>();
  const slugOf = new Map<string, string>();
  const context = () => core.contextOf(core.account.id);
  const write = <Result>(rule: (context: Context) => Promise<Result>) => inTransaction(context(), rule);
  const pages = () => [...siteOf.keys()].toSorted();
  const anyOf = <Item>(items: readonly Item[]): Item | undefined => items[draw(items.length)];

  async function look(): Promise<void> {
    const pageId = anyOf(pages()) ?? "";
    const [host = "", width = 0] = [anyOf(HOSTS), anyOf(WIDTHS)];
    time = START + draw(DAYS) * DAY + draw(24) * 3_600_000;
    const k = `view${String(views.length).padStart(12, "0")}`;
    const visitor = { address: "203.0.113.7", userAgent: "Firefox" };
    const q = draw(3) === 0 ? "utm_campaign=spring&utm_term=tea" : "";
    await write((each) => recordView(each, { t: "view", v: 1, p: pageId, k, w: width, r: host, q }, visitor));
    views.push({ pageId, at: time, host, width });
  }

  return {
    core,
    draw,
    look,
    pages,
    siteOf,
    anyOf,
    addSite: async (name: string) => (await write((each) => createSite(each, { name }))).site.id,
    async addPage(slug: string, siteId: string | null) {
      const html = `<!doctype html><title>${slug}</title>`;
      const { page } = await write((each) => putPage(each, { slug, html, siteId }, {}));
      siteOf.set(page.id, siteId);
      slugOf.set(page.id, slug);
    },
    async move(pageId: string, siteId: string | null) {
      const slug = slugOf.get(pageId) ?? "";
      await write((each) => editPage(each, { slug, edit: { siteId }, preconditions: {} }));
      siteOf.set(pageId, siteId);
    },
    async remove(pageId: string) {
      await write((each) => removePage(each, slugOf.get(pageId) ?? "", {}));
      siteOf.delete(pageId);
    },
    async removeSite(id: string) {
      await write((each) => removeSite(each, { id, pages: "keep", preconditions: {} }));
      for (const [page, site] of siteOf) if (site === id) siteOf.set(page, null);
    },
    /** Visits according to the totals and to all rows of visits, for a site or for the account. */
    async compareVisits(siteId: string | undefined) {
      time = START + (DAYS - 1) * DAY;
      const { database } = core.store;
      const read = async () => await analyzeVisits(context(), { ...RANGE, siteId }, { limit: 100 });
      const summed = await read();
      await sql`insert into unsummed_visit (day, scope) values (0, 'none')`.execute(database);
      const counted = await read();
      await sql`delete from unsummed_visit where scope = 'none'`.execute(database);
      return { summed, counted };
    },
    /** The response, and the count of single views, for a site or for the account. */
    async compare(siteId: string | undefined) {
      time = START + (DAYS - 1) * DAY;
      const query = { ...RANGE, siteId };
      const overview = await overviewPages(context(), query);
      const { totals } = await summarize(context(), query, WINDOW);
      const sumOf = async (scopes: readonly string[], column: "visits" | "entries") => {
        const query = core.store.database
          .selectFrom("visitDay")
          .select(({ fn }) => [fn.sum<number>("views").as("views"), fn.sum<number>(column).as("visits")]);
        const { views, visits } = await query.where("scope", "in", scopes).executeTakeFirstOrThrow();
        return { views: views ?? 0, visits: visits ?? 0 };
      };
      const pagesIn = pages().filter((page) => siteId === undefined || siteOf.get(page) === siteId);
      const isIn = ({ pageId }: Viewed) =>
        siteOf.has(pageId) && (siteId === undefined || siteOf.get(pageId) === siteId);
      const known = views.filter(isIn);
      const count = (is: (view: Viewed) => boolean) => known.filter(is).length;
      const hosts = [...new Set(known.map(({ host }) => host))].filter((host) => host !== "");
      const counted = hosts.map((host) => ({ host, views: count((view) => view.host === host) }));
      return {
        answered: {
          total: totals.views,
          visited: await sumOf([siteId ?? core.account.id], "visits"),
          days: overview.series.map(({ views }) => views),
          devices: overview.devices,
          referrers: overview.referrers,
        },
        counted: {
          total: known.length,
          visited: await sumOf(["", ...pagesIn], "entries"),
          days: Array.from({ length: DAYS }, (_, day) => count(({ at }) => Math.floor((at - START) / DAY) === day)),
          devices: {
            mobile: count(({ width }) => width === 400),
            tablet: count(({ width }) => width === 800),
            desktop: count(({ width }) => width === 1400),
          },
          referrers: counted.toSorted((one, other) => other.views - one.views || (one.host < other.host ? -1 : 1)),
        },
      };
    },
  };
}

/** Slices of two rows, with other work after each. */
function smallSlices(slices: Slices, between: (run: number) => Promise<void>): Slices {
  return {
    ...slices,
    async run(slice) {
      let run = 0;
      for (let isLeft = true; isLeft;) {
        await slices.run(async (transaction) => {
          isLeft = await slice(transaction, 2);
          return false;
        });
        await between(run++);
      }
    },
  };
}

describe("views of a site and of the account", () => {
  it.each([1, 2, 3])("equal those of its pages, whatever happens to the pages (%i)", async (seed) => {
    const world = await start(seed);
    const sites = [await world.addSite("One"), await world.addSite("Two")];
    const places = [...sites, null];
    for (let number = 0; number < 6; number++) await world.addPage(`page-${number}`, places[number % 3] ?? null);
    for (let step = 0; step < 150; step++) {
      const page = world.anyOf(world.pages());
      const kind = world.draw(20);
      if (kind === 0 && page !== undefined) await world.move(page, world.anyOf(places) ?? null);
      else if (kind === 1 && world.pages().length > 2 && page !== undefined) await world.remove(page);
      else await world.look();
    }
    for (const site of [...sites, undefined]) {
      const { answered, counted } = await world.compare(site);
      expect(answered).toEqual(counted);
      const visits = await world.compareVisits(site);
      expect(visits.summed).toEqual(visits.counted);
    }
    await world.removeSite(sites[0] ?? "");
    const { answered, counted } = await world.compare(undefined);
    expect(answered).toEqual(counted);
    expect((await world.compare(sites[0])).answered.total).toBe(0);
  });

  it("from before daily totals are the same before, during, and after the migration", async () => {
    const world = await start(4);
    const site = await world.addSite("One");
    for (let number = 0; number < 6; number++) await world.addPage(`page-${number}`, number % 2 === 0 ? site : null);
    for (let step = 0; step < 60; step++) await world.look();
    // As the migration leaves it.
    const { database } = world.core.store;
    for (const name of ["view_day", "source_day"]) await sql`delete from ${sql.table(name)}`.execute(database);
    await sql`insert into uncounted_page (page_id) select id from page`.execute(database);
    const same = async () => {
      for (const scope of [site, undefined]) {
        const { answered, counted } = await world.compare(scope);
        expect(answered).toEqual(counted);
      }
    };
    await same();
    let runs = 0;
    const between = async (run: number) => {
      runs += 1;
      for (let step = 0; step < 10; step++) await world.look();
      const page = world.pages()[run];
      if (page !== undefined) await world.move(page, run % 2 === 0 ? null : site);
      await same();
    };
    await countEarlierViews(smallSlices(slicesOf(database), between));
    expect(runs).toBeGreaterThan(2);
  });
});

describe("visits of a site and of the account", () => {
  async function startVisited(seed: number) {
    const world = await start(seed);
    const site = await world.addSite("One");
    for (let number = 0; number < 6; number++) await world.addPage(`page-${number}`, number % 2 === 0 ? site : null);
    for (let step = 0; step < 60; step++) await world.look();
    const { database } = world.core.store;
    const same = async () => {
      for (const scope of [site, undefined]) {
        const { summed, counted } = await world.compareVisits(scope);
        expect(summed.totals.visits).toBeGreaterThan(0);
        expect(summed).toEqual(counted);
      }
    };
    return { world, site, database, same };
  }

  it("from before totals are the same before, during, and after the migration", async () => {
    const { world, site, database, same } = await startVisited(5);
    // As the migration leaves it.
    for (const name of ["visit_total", "visit_trait"]) await sql`delete from ${sql.table(name)}`.execute(database);
    await sql`insert into unsummed_visit (day, scope) select distinct day, scope from visit_day`.execute(database);
    await same();
    let runs = 0;
    const between = async (run: number) => {
      runs += 1;
      for (let step = 0; step < 5; step++) await world.look();
      const page = world.pages()[run % 6];
      if (page !== undefined) await world.move(page, run % 2 === 0 ? null : site);
      await same();
    };
    await sumEarlierVisits(smallSlices(slicesOf(database), between));
    expect(runs).toBeGreaterThan(4);
    const left = await database.selectFrom("unsummedVisit").selectAll().execute();
    expect(left).toEqual([]);
  });

  it("are the same in totals and in rows when old days are deleted", async () => {
    const { database, same } = await startVisited(6);
    await forgetStats(slicesOf(database), START + 2 * DAY);
    await same();
    const { rows } = await sql`select day from visit_total where day < ${START + 2 * DAY}`.execute(database);
    expect(rows).toEqual([]);
  });
});

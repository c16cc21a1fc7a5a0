import { sql } from "kysely";
import { expect, it, onTestFinished } from "vitest";
import { readTraits } from "../../../src/service/resources/visit-traits.ts";
import { ensureAccount } from "../../../src/service/store/accounts.ts";
import { forgetRooms, forgetStats } from "../../../src/service/store/forget-stats.ts";
import { openStore, type StoreOptions } from "../../../src/service/store/open-store.ts";
import { insertRow } from "../../../src/service/store/rows.ts";
import type { Database } from "../../../src/service/store/tables.ts";
import { writeTransaction } from "../../../src/service/store/transactions.ts";
import { beginVisit } from "../../../src/service/store/visit-days.ts";
import { addClicks, addReferrer } from "../../../src/service/store/visits.ts";
import { slicesOf } from "../store/slices-of.ts";
import { FIREFOX } from "./beacon.ts";

const DAY = 86_400_000;
const MAX = 5;

/** Daily limits: how to add a numbered item, and how many different ones are kept. */
const LIMITED = {
  "kinds of visits to the account": {
    async add(database: Database, number: number, day: number) {
      const traits = readTraits({ host: `host${number}`, search: "", userAgent: FIREFOX, device: "desktop" });
      const key = { day, siteId: "", visitor: Buffer.from([number, number >> 8]) };
      const scopes = ["acc"];
      const visit = { ...key, accountId: "acc", pageId: "pg", scopes, traits, now: new Date(day) };
      await beginVisit(database, visit, { maxKinds: MAX });
    },
    kept: (day: number) => sql`select 1 from visit_day where scope = 'acc' and source <> 'other' and day = ${day}`,
    total: (day: number) =>
      sql`select cast(sum(visits) as integer) as total from visit_day where scope = 'acc' and day = ${day}`,
  },
  "hosts that link to a page": {
    async add(database: Database, number: number, day: number) {
      await addReferrer(database, { pageId: "pg", day, host: `host${number}` }, { maxHosts: MAX });
    },
    kept: (day: number) => sql`select 1 from referrer_day where host <> 'other' and day = ${day}`,
    total: (day: number) => sql`select cast(sum(views) as integer) as total from referrer_day where day = ${day}`,
  },
} as const;

async function addPage(database: Database): Promise<void> {
  const now = new Date();
  await ensureAccount(database, { id: "acc", name: "Test" }, now);
  const page = { id: "pg", accountId: "acc", slug: "page", title: "Page", status: "published", siteId: null } as const;
  const content = { description: null, contentHash: "", bytes: 0, version: 1 };
  const times = { createdAt: now, updatedAt: now, publishedAt: now };
  await insertRow(database, "page", { ...page, ...content, ...times });
}

type Place = Pick<StoreOptions, "dataDir" | "databaseUrl">;

/** Tests that daily limits apply across writers with separate connections. */
export function testDayLimits(findPlace: () => Promise<Place>): void {
  const openAt = async (place: Place) => {
    const store = await openStore({ ...place, now: new Date() });
    const closing = new AbortController();
    const close = async () => {
      if (!closing.signal.aborted) await store.close();
      closing.abort();
    };
    onTestFinished(close);
    return { database: store.database, close };
  };

  it.each(Object.entries(LIMITED))("%s are limited exactly", async (_what, { add, kept, total }) => {
    const place = await findPlace();
    const [one, other] = [await openAt(place), await openAt(place)];
    await addPage(one.database);
    const count = async (day: number) => (await kept(day).execute(other.database)).rows.length;
    const addAll = async (numbers: readonly number[], day: number) => {
      await Promise.all(
        numbers.map(async (number) => {
          const { database } = number % 2 === 0 ? one : other;
          await writeTransaction(database, (transaction) => add(transaction, number, day), "shared");
        }),
      );
    };
    // Adds each twice, concurrently from both.
    await addAll([0, 1, 2, 3, 0, 1, 2, 3], DAY);
    expect(await count(DAY)).toBe(4);
    await addAll([4, 5, 6, 7, 8, 9, 0], DAY);
    expect(await count(DAY)).toBe(MAX);
    await one.close();
    const restarted = await openAt(place);
    await add(restarted.database, 20, DAY);
    expect(await count(DAY)).toBe(MAX);
    // There is no count for days before this version, or after the count was deleted.
    await forgetRooms(slicesOf(restarted.database), 2 * DAY);
    await add(restarted.database, 21, DAY);
    await add(restarted.database, 22, DAY);
    expect(await count(DAY)).toBe(MAX);
    const { rows } = await total(DAY).execute(other.database);
    expect(rows).toEqual([{ total: 18 }]);
    for (const number of [30, 31, 32, 33, 34, 35, 36]) await add(restarted.database, number, 2 * DAY);
    expect([await count(DAY), await count(2 * DAY)]).toEqual([MAX, MAX]);
    await forgetStats(slicesOf(restarted.database), 2 * DAY);
    await forgetRooms(slicesOf(restarted.database), 2 * DAY);
    await add(restarted.database, 40, 2 * DAY);
    expect([await count(DAY), await count(2 * DAY)]).toEqual([0, MAX]);
    const { rows: rooms } = await sql`select day from day_room`.execute(other.database);
    expect(rooms).toEqual([{ day: 2 * DAY }]);
  });

  it("clicked cells and elements of a page are limited exactly, even within one message", async () => {
    const { database } = await openAt(await findPlace());
    await addPage(database);
    const layout = { pageId: "pg", version: 1, device: "desktop" };
    const clicks = [0, 1, 2, 3, 4, 5, 6, 0].map((cell) => ({ cellX: cell, cellY: 0, selector: `p:nth(${cell})` }));
    const limits = { maxCells: 4, maxSelectors: 3 };
    await addClicks(database, { layout, day: DAY, clicks }, limits);
    await addClicks(database, { layout, day: DAY, clicks: [{ cellX: 9, cellY: 9, selector: "a" }] }, limits);
    const cells = await sql`select cell_x as cell, clicks from click_cell_day order by 1`.execute(database);
    expect(cells.rows).toEqual([0, 1, 2, 3].map((cell) => ({ cell, clicks: cell === 0 ? 2 : 1 })));
    const elements = await sql`select selector from click_element_day`.execute(database);
    expect(elements.rows).toHaveLength(3);
  });
}

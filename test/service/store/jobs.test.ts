import { expect, it, onTestFinished } from "vitest";
import { claimJob } from "../../../src/service/store/jobs.ts";
import { openStore } from "../../../src/service/store/open-store.ts";
import type { Store } from "../../../src/service/store/open-store.ts";

const HOUR = 3_600_000;
const NOON = Date.UTC(2026, 0, 1, 12);

async function open(): Promise<Store> {
  const databaseUrl = process.env["IMPRINT_TEST_DATABASE_URL"];
  const store = await openStore({ dataDir: undefined, databaseUrl, now: new Date(NOON) });
  onTestFinished(() => store.close());
  return store;
}

it("gives a turn to one of those that ask, and the next one an interval later", async () => {
  const { database } = await open();
  const ask = (at: number) => claimJob(database, { name: "tidy", everyMs: HOUR, now: new Date(at) });
  const turns = await Promise.all(Array.from({ length: 8 }, () => ask(NOON)));
  expect(turns.filter(Boolean)).toHaveLength(1);
  expect(await ask(NOON + HOUR - 1)).toBe(false);
  expect(await ask(NOON + HOUR)).toBe(true);
});

it("keeps the turns of different jobs apart", async () => {
  const { database } = await open();
  const ask = (name: string) => claimJob(database, { name, everyMs: HOUR, now: new Date(NOON) });
  expect([await ask("one"), await ask("two"), await ask("one")]).toEqual([true, true, false]);
});

it("gives a turn again after the clock of another process was far ahead", async () => {
  const { database } = await open();
  const ask = (at: number) => claimJob(database, { name: "tidy", everyMs: HOUR, now: new Date(at) });
  expect(await ask(NOON + 48 * HOUR)).toBe(true);
  expect(await ask(NOON)).toBe(true);
});

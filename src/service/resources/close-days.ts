import { closeDays } from "../store/visitors.ts";
import type { Database } from "../store/tables.ts";
import { holdName } from "../store/write-transaction.ts";
import { DAY_MS, startOfDay } from "./time-range.ts";

/**
 * Ends the days that are over: only the number of their visitors stays, and nothing that tells one from another. Has to
 * run in a transaction.
 */
export async function endPastDays(database: Database, now: Date): Promise<void> {
  // Two at once would count the same visitors twice.
  await holdName(database, "past days");
  await closeDays(database, { today: startOfDay(now), views: now.getTime() - DAY_MS });
}

import { closeDays } from "../store/visitors.ts";
import type { Database } from "../store/tables.ts";
import { holdName } from "../store/write-transaction.ts";
import { DAY_MS, startOfDay } from "./time-range.ts";

// One day more than the longest range that can be asked for.
const KEPT_DAYS = 401;

/**
 * Ends the days that are over: only the number of their visitors stays, and nothing that tells one from another. Numbers
 * older than any range that can be asked for are forgotten. Has to run in a transaction.
 */
export async function endPastDays(database: Database, now: Date): Promise<void> {
  // Two at once would count the same visitors twice.
  await holdName(database, "past days");
  const today = startOfDay(now);
  await closeDays(database, { today, views: now.getTime() - DAY_MS, counts: today - KEPT_DAYS * DAY_MS });
}

import { sql } from "kysely";
import type { Database } from "./tables.ts";

/** How many requests came in the window that is open. */
export interface RateWindow {
  readonly requests: number;
  /** When it ends, in milliseconds since 1970. */
  readonly endsAt: number;
}

/** Counts a request of a caller in the window that is open, or in a new one. */
export async function countRequest(
  database: Database,
  caller: string,
  { now, windowMs }: { readonly now: number; readonly windowMs: number },
): Promise<RateWindow> {
  const endsAt = now + windowMs;
  // A window that ends later than a new one was opened by a clock that was wrong.
  const isOpen = sql<boolean>`rate_window.ends_at > ${now} and rate_window.ends_at <= ${endsAt}`;
  return await database
    .insertInto("rate_window")
    .values({ caller, ends_at: endsAt, requests: 1 })
    .onConflict((conflict) =>
      conflict.column("caller").doUpdateSet({
        requests: sql`case when ${isOpen} then rate_window.requests + 1 else 1 end`,
        ends_at: sql`case when ${isOpen} then rate_window.ends_at else excluded.ends_at end`,
      }),
    )
    .returning(["requests", "ends_at as endsAt"])
    .executeTakeFirstOrThrow();
}

export async function forgetRateWindows(database: Database, now: Date): Promise<void> {
  await database.deleteFrom("rate_window").where("ends_at", "<=", now.getTime()).execute();
}

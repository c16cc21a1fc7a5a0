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
  const endsAt = new Date(now + windowMs);
  // A window that ends later than a new one was opened by a clock that was wrong.
  const isOpen = sql<boolean>`rate_window.ends_at > ${now} and rate_window.ends_at <= ${endsAt}`;
  const window = await database
    .insertInto("rateWindow")
    .values({ caller, endsAt, requests: 1 })
    .onConflict((conflict) =>
      conflict.column("caller").doUpdateSet({
        requests: sql`case when ${isOpen} then rate_window.requests + 1 else 1 end`,
        endsAt: sql`case when ${isOpen} then rate_window.ends_at else excluded.ends_at end`,
      }),
    )
    .returning(["requests", "endsAt"])
    .executeTakeFirstOrThrow();
  return { requests: window.requests, endsAt: window.endsAt.getTime() };
}

export async function forgetRateWindows(database: Database, now: Date): Promise<void> {
  await database.deleteFrom("rateWindow").where("endsAt", "<=", now).execute();
}

import {
  dropExpired,
  dropUnusedContent,
  expireReleases,
  findOverdue,
  foldRelease,
} from "../store/release-retention.ts";
import type { Slices } from "../store/slices.ts";
import { DAY_MS } from "./time-range.ts";

// A release is kept if it is among the last ones of its line or newer than this.
const KEPT_RELEASES = 20;
const KEPT_MS = 30 * DAY_MS;
// An open release may need content that no page refers to yet; it is open for at most a day.
const UNNAMED_CONTENT_MS = 2 * DAY_MS;

/** Deletes old releases and content that only they needed, a little at a time. */
export async function tidyReleases(slices: Slices, now: Date): Promise<void> {
  const { database } = slices;
  await expireReleases(database, now);
  await slices.run(dropExpired);
  const before = new Date(now.getTime() - KEPT_MS);
  for (;;) {
    const overdue = await findOverdue(database, { keep: KEPT_RELEASES, before });
    if (overdue === undefined) break;
    await slices.run((transaction, rows) => foldRelease(transaction, overdue, rows));
  }
  const unused = new Date(now.getTime() - UNNAMED_CONTENT_MS);
  let after = "";
  await slices.run(async (transaction, limit) => {
    const last = await dropUnusedContent(transaction, { before: unused, limit, after });
    after = last ?? after;
    return last !== undefined;
  });
}

import {
  dropExpired,
  dropUnusedContent,
  expireReleases,
  findOverdue,
  foldRelease,
} from "../store/release-retention.ts";
import type { Database } from "../store/tables.ts";
import { writeTransaction } from "../store/transactions.ts";
import { DAY_MS } from "./time-range.ts";

// A release stays while it is one of the last ones of its line or younger than this.
const KEPT_RELEASES = 20;
const KEPT_MS = 30 * DAY_MS;
// An open release may need content that it does not name yet; it is open for a day at most.
const UNNAMED_CONTENT_MS = 2 * DAY_MS;
// More at once would hold up other writes.
const SLICE = 100;

/** Forgets releases that are over and what only they needed, a little at a time. */
export async function tidyReleases(database: Database, now: Date, closing: AbortSignal): Promise<void> {
  const inSlice = async <Result>(work: (transaction: Database) => Promise<Result>) => {
    closing.throwIfAborted();
    return await writeTransaction(database, work, "shared");
  };
  await inSlice((transaction) => expireReleases(transaction, now));
  while (await inSlice((transaction) => dropExpired(transaction, SLICE)));
  const before = new Date(now.getTime() - KEPT_MS);
  for (;;) {
    const overdue = await findOverdue(database, { keep: KEPT_RELEASES, before });
    if (overdue === undefined) break;
    while (await inSlice((transaction) => foldRelease(transaction, overdue, SLICE)));
  }
  const unused = { before: new Date(now.getTime() - UNNAMED_CONTENT_MS), limit: SLICE };
  for (let after: string | undefined = ""; after !== undefined;) {
    const from: string = after;
    after = await inSlice((transaction) => dropUnusedContent(transaction, { ...unused, after: from }));
  }
}

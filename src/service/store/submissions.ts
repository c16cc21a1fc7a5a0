import { sql } from "kysely";
import type { InMemory } from "../../contract/fields.ts";
import type { SubmissionRecord } from "../../contract/records.ts";
import { readSlice, type Slice, type Window } from "./keyset.ts";
import { textsIn } from "./database.ts";
import { walkValues, type Slices } from "./slices.ts";
import type { Database } from "./tables.ts";

/** A field in the order in which it was sent; several values where its name was sent several times. */
export type SubmittedField = readonly [name: string, value: string | readonly string[]];

/** What a visitor sent through a form. The email address is in lower case. */
export type Submission = Omit<InMemory<SubmissionRecord>, "submissionId" | "fields"> & {
  readonly id: string;
  // Pairs and not an object, which would lose the order of names such as "2" and could not hold "__proto__".
  readonly fields: readonly SubmittedField[];
};

export type SubmissionTable = Submission & { readonly accountId: string };

export interface SubmissionFilter {
  readonly pageSlug?: string | undefined;
  readonly formId?: string | undefined;
  readonly spam: boolean;
  readonly leadsOnly?: boolean | undefined;
  readonly from?: Date | undefined;
  /** The first moment after the range. */
  readonly until?: Date | undefined;
}

/** How much was sent through a form; spam is counted apart. */
export async function countSubmissions(database: Database, accountId: string, formId: string) {
  const rows = await database
    .selectFrom("submission")
    .select(({ fn }) => ["spam", "lead", fn.countAll<number>().as("count")])
    .where("accountId", "=", accountId)
    .where("formId", "=", formId)
    .groupBy(["spam", "lead"])
    .execute();
  const count = (isCounted: (row: (typeof rows)[number]) => boolean) =>
    rows.filter(isCounted).reduce((sum, row) => sum + Number(row.count), 0);
  return {
    all: count(({ spam }) => !spam),
    leads: count(({ spam, lead }) => lead && !spam),
    spam: count(({ spam }) => spam),
  };
}

export async function listSubmissions(
  database: Database,
  accountId: string,
  { filter, window }: { readonly filter: SubmissionFilter; readonly window: Window },
): Promise<Slice<Submission>> {
  return await readSlice(selectSubmissions(database, accountId, filter), window);
}

const BATCH = 500;

/** All submissions that a filter lets through, oldest first, read in parts: a form may have more than memory holds. */
export async function* readSubmissions(
  database: Database,
  accountId: string,
  filter: SubmissionFilter,
): AsyncGenerator<readonly Submission[]> {
  let after: Pick<Submission, "createdAt" | "id"> | undefined;
  for (;;) {
    let query = selectSubmissions(database, accountId, filter);
    // Written with `or`, SQLite would read all that came before once more.
    if (after !== undefined) query = query.where(sql<boolean>`(created_at, id) > (${after.createdAt}, ${after.id})`);
    const rows = await query.orderBy("createdAt").orderBy("id").limit(BATCH).execute();
    if (rows.length > 0) yield rows;
    after = rows.at(-1);
    if (rows.length < BATCH) return;
  }
}

function selectSubmissions(database: Database, accountId: string, filter: SubmissionFilter) {
  let query = database.selectFrom("submission").selectAll().where("accountId", "=", accountId);
  query = query.where("spam", "=", filter.spam);
  if (filter.pageSlug !== undefined) query = query.where("pageSlug", "=", filter.pageSlug);
  if (filter.formId !== undefined) query = query.where("formId", "=", filter.formId);
  if (filter.leadsOnly === true) query = query.where("lead", "=", true);
  if (filter.from !== undefined) query = query.where("createdAt", ">=", filter.from);
  if (filter.until !== undefined) query = query.where("createdAt", "<", filter.until);
  return query;
}

/** Deletes submissions from before a time, with their events and pending deliveries. */
export async function forgetSubmissions(slices: Slices, before: Date): Promise<void> {
  await walkValues(slices, { name: "submission", column: "formId" }, async (transaction, within, rows) => {
    const { rows: old } = await sql<{ readonly id: string; readonly accountId: string }>`
      select id, account_id from submission where ${within} and created_at < ${before} limit ${rows}`.execute(
      transaction,
    );
    for (const [accountId, found = []] of Object.entries(Object.groupBy(old, ({ accountId }) => accountId))) {
      const ids = textsIn(
        transaction,
        found.map(({ id }) => id),
      );
      // For any other condition on the account, SQLite reads all events.
      await sql`delete from event where account_id = ${accountId} and subject in ${ids}`.execute(transaction);
      await sql`delete from submission where id in ${ids}`.execute(transaction);
    }
    return old.length === rows;
  });
}

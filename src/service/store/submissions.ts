import { sql, type RawBuilder } from "kysely";
import type { InMemory } from "../../contract/fields.ts";
import type { SubmissionRecord } from "../../contract/records.ts";
import { readSlice, type Slice, type Window } from "./keyset.ts";
import { isInPart, type PagesPart } from "./preview-slugs.ts";
import { isPostgres, likePattern, textsIn } from "./database.ts";
import { walkValues, type Slices } from "./slices.ts";
import type { Database } from "./tables.ts";
import { selectRows, given } from "./rows.ts";

/** A field in submission order, with several values if its name occurs repeatedly. */
export type SubmittedField = readonly [name: string, value: string | readonly string[]];

/** A form submission. The email address is in lowercase. */
export type Submission = Omit<InMemory<SubmissionRecord>, "submissionId" | "fields"> & {
  readonly id: string;
  // Pairs, since an object would lose the order of names such as "2" and can't hold "__proto__".
  readonly fields: readonly SubmittedField[];
};

export type SubmissionTable = Submission & { readonly accountId: string };

export interface SubmissionFilter {
  readonly pageSlug?: string | undefined;
  readonly formId?: string | undefined;
  /** Default: with and without spam. */
  readonly spam?: boolean | undefined;
  /** Default: those of live pages and of previews. */
  readonly part?: PagesPart | undefined;
  readonly unread?: boolean | undefined;
  readonly leadsOnly?: boolean | undefined;
  /** Part of a field's value. */
  readonly text?: string | undefined;
  readonly ids?: readonly string[] | undefined;
  readonly from?: Date | undefined;
  /** Exclusive end of the range. */
  readonly until?: Date | undefined;
}

/** Counts the submissions of a form; spam separately. */
export async function countSubmissions(database: Database, accountId: string, formId: string) {
  const rows = await database
    .selectFrom("submission")
    .select(({ fn }) => ["spam", "lead", "read", fn.countAll<number>().as("count")])
    .where("accountId", "=", accountId)
    .where("formId", "=", formId)
    .groupBy(["spam", "lead", "read"])
    .execute();
  const count = (isCounted: (row: (typeof rows)[number]) => boolean) =>
    rows.filter(isCounted).reduce((sum, row) => sum + Number(row.count), 0);
  return {
    all: count(({ spam }) => !spam),
    unread: count(({ spam, read }) => !read && !spam),
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

/** Counts the unread submissions of some forms, excluding spam. */
export async function countUnread(database: Database, accountId: string, formIds: readonly string[]) {
  const rows = await selectRows(database, "submission", { accountId, read: false, spam: false })
    .select(({ fn }) => ["formId", fn.countAll<number>().as("count")])
    .where("formId", "in", textsIn(database, formIds))
    .groupBy("formId")
    .execute();
  return new Map(rows.map(({ formId, count }) => [formId, Number(count)]));
}

const BATCH = 500;

/** Reads all matching submissions, oldest first, in batches: a form may have more than fits in memory. */
export async function* readSubmissions(
  database: Database,
  accountId: string,
  filter: SubmissionFilter,
): AsyncGenerator<readonly Submission[]> {
  let after: Pick<Submission, "createdAt" | "id"> | undefined;
  for (;;) {
    let query = selectSubmissions(database, accountId, filter);
    // With `or`, SQLite would read all earlier rows again.
    if (after !== undefined) query = query.where(sql<boolean>`(created_at, id) > (${after.createdAt}, ${after.id})`);
    const rows = await query.orderBy("createdAt").orderBy("id").limit(BATCH).execute();
    if (rows.length > 0) yield rows;
    after = rows.at(-1);
    if (rows.length < BATCH) return;
  }
}

function selectSubmissions(database: Database, accountId: string, filter: SubmissionFilter) {
  const { pageSlug, formId, spam, part, unread, leadsOnly, text, ids, from, until } = filter;
  const flags = { ...(unread === true && { read: false }), ...(leadsOnly === true && { lead: true }) };
  const equal = { accountId, ...given({ pageSlug, formId, spam }), ...flags };
  let query = selectRows(database, "submission", equal).selectAll();
  if (part !== undefined) query = query.where(isInPart("pageSlug", part));
  if (ids !== undefined) query = query.where("id", "in", textsIn(database, ids));
  if (text !== undefined) query = query.where(hasSent(database, text));
  if (from !== undefined) query = query.where("createdAt", ">=", from);
  if (until !== undefined) query = query.where("createdAt", "<", until);
  return query;
}

/** Whether a submitted value contains a text. Field names aren't searched. */
function hasSent(database: Database, text: string): RawBuilder<boolean> {
  const pattern = likePattern(text);
  return isPostgres(database)
    ? sql<boolean>`exists (select 1 from json_array_elements(cast(fields as json)) as sent
        where lower(sent.value ->> 1) like ${pattern} escape '\\')`
    : sql<boolean>`exists (select 1 from json_each(fields) as sent
        where lower(sent.value ->> 1) like ${pattern} escape '\\')`;
}

/** Deletes submissions older than a time, with their events and pending deliveries. */
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
      // With any other condition on the account, SQLite scans all events.
      await sql`delete from event where account_id = ${accountId} and subject in ${ids}`.execute(transaction);
      await sql`delete from submission where id in ${ids}`.execute(transaction);
    }
    return old.length === rows;
  });
}

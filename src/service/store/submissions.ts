import * as z from "zod";
import type { Selectable } from "kysely";
import { forgetAnswersNaming } from "./idempotent-requests.ts";
import { readSlice, type Slice, type Window } from "./keyset.ts";
import type { Database, SubmissionTable } from "./tables.ts";

/** A field in the order in which it was sent; several values where its name was sent several times. */
export type SubmittedField = readonly [name: string, value: string | readonly string[]];

/** What a visitor sent through a form. */
export interface Submission {
  readonly id: string;
  readonly formId: string;
  readonly pageId: string;
  readonly pageSlug: string;
  readonly fields: readonly SubmittedField[];
  /** The first valid e-mail address in it, in lower case. */
  readonly email: string | null;
  /** Whether that address came for the first time. */
  readonly isLead: boolean;
  readonly isSpam: boolean;
  readonly createdAt: Date;
}

export interface SubmissionFilter {
  readonly pageSlug?: string | undefined;
  readonly formId?: string | undefined;
  readonly spam: boolean;
  readonly leadsOnly?: boolean | undefined;
  readonly from?: Date | undefined;
  /** The first moment after the range. */
  readonly until?: Date | undefined;
}

// Pairs and not an object, which would lose the order of names such as "2" and could not hold "__proto__".
const fieldsSchema = z.array(z.tuple([z.string(), z.union([z.string(), z.array(z.string())])]));

export async function insertSubmission(database: Database, accountId: string, submission: Submission): Promise<void> {
  await database
    .insertInto("submission")
    .values({
      id: submission.id,
      account_id: accountId,
      form_id: submission.formId,
      page_id: submission.pageId,
      page_slug: submission.pageSlug,
      fields: JSON.stringify(submission.fields),
      email: submission.email,
      lead: submission.isLead ? 1 : 0,
      spam: submission.isSpam ? 1 : 0,
      created_at: submission.createdAt.getTime(),
    })
    .execute();
}

export async function findSubmission(
  database: Database,
  { accountId, id }: { readonly accountId: string; readonly id: string },
): Promise<Submission | undefined> {
  const row = await database
    .selectFrom("submission")
    .selectAll()
    .where("account_id", "=", accountId)
    .where("id", "=", id)
    .executeTakeFirst();
  return row && toSubmission(row);
}

export interface SubmissionCounts {
  readonly all: number;
  readonly leads: number;
  readonly spam: number;
}

/** How much was sent through a form; spam is counted apart. */
export async function countSubmissions(
  database: Database,
  accountId: string,
  formId: string,
): Promise<SubmissionCounts> {
  const rows = await database
    .selectFrom("submission")
    .select(({ fn }) => ["spam", "lead", fn.countAll<number>().as("count")])
    .where("account_id", "=", accountId)
    .where("form_id", "=", formId)
    .groupBy(["spam", "lead"])
    .execute();
  const count = (isCounted: (row: { readonly spam: number; readonly lead: number }) => boolean) =>
    rows.filter(isCounted).reduce((sum, row) => sum + Number(row.count), 0);
  return {
    all: count(({ spam }) => Number(spam) === 0),
    leads: count(({ spam, lead }) => Number(spam) === 0 && Number(lead) === 1),
    spam: count(({ spam }) => Number(spam) === 1),
  };
}

/** Whether somebody with this e-mail address has sent anything but spam. */
export async function isKnownEmail(
  database: Database,
  { accountId, email }: { readonly accountId: string; readonly email: string },
): Promise<boolean> {
  const row = await database
    .selectFrom("submission")
    .select("id")
    .where("account_id", "=", accountId)
    .where("email", "=", email)
    .where("spam", "=", 0)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

export interface SubmissionKey {
  readonly accountId: string;
  readonly pageSlug: string;
  readonly id: string;
}

/** Deletes a submission and answers whether there was one. */
export async function deleteSubmission(
  database: Database,
  { accountId, pageSlug, id }: SubmissionKey,
): Promise<boolean> {
  const result = await database
    .deleteFrom("submission")
    .where("account_id", "=", accountId)
    .where("page_slug", "=", pageSlug)
    .where("id", "=", id)
    .executeTakeFirst();
  if (result.numDeletedRows === 0n) return false;
  await forgetAnswersNaming(database, id);
  return true;
}

export interface SubmissionsQuery {
  readonly filter: SubmissionFilter;
  readonly window: Window;
}

export async function listSubmissions(
  database: Database,
  accountId: string,
  { filter, window }: SubmissionsQuery,
): Promise<Slice<Submission>> {
  const query = selectSubmissions(database, accountId, filter).selectAll();
  return await readSlice(query, window, toSubmission);
}

const BATCH = 500;

/** All submissions that a filter lets through, oldest first, read in parts: a form may have more than memory holds. */
export async function* readSubmissions(
  database: Database,
  accountId: string,
  filter: SubmissionFilter,
): AsyncGenerator<readonly Submission[]> {
  let after: { readonly created_at: number; readonly id: string } | undefined;
  for (;;) {
    let query = selectSubmissions(database, accountId, filter).selectAll();
    if (after !== undefined) {
      const { created_at, id } = after;
      query = query.where((build) =>
        build.or([
          build("created_at", ">", created_at),
          build.and([build("created_at", "=", created_at), build("id", ">", id)]),
        ]),
      );
    }
    const rows = await query.orderBy("created_at").orderBy("id").limit(BATCH).execute();
    if (rows.length > 0) yield rows.map(toSubmission);
    after = rows.at(-1);
    if (rows.length < BATCH) return;
  }
}

function selectSubmissions(database: Database, accountId: string, filter: SubmissionFilter) {
  let query = database
    .selectFrom("submission")
    .where("account_id", "=", accountId)
    .where("spam", "=", filter.spam ? 1 : 0);
  if (filter.pageSlug !== undefined) query = query.where("page_slug", "=", filter.pageSlug);
  if (filter.formId !== undefined) query = query.where("form_id", "=", filter.formId);
  if (filter.leadsOnly === true) query = query.where("lead", "=", 1);
  if (filter.from !== undefined) query = query.where("created_at", ">=", filter.from.getTime());
  if (filter.until !== undefined) query = query.where("created_at", "<", filter.until.getTime());
  return query;
}

function toSubmission(row: Selectable<SubmissionTable>): Submission {
  return {
    id: row.id,
    formId: row.form_id,
    pageId: row.page_id,
    pageSlug: row.page_slug,
    fields: fieldsSchema.parse(JSON.parse(row.fields)),
    email: row.email,
    isLead: row.lead === 1,
    isSpam: row.spam === 1,
    createdAt: new Date(row.created_at),
  };
}

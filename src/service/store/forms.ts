import * as z from "zod";
import type { Selectable } from "kysely";
import { readSlice, type Slice, type Window } from "./keyset.ts";
import type { Database, FormTable } from "./tables.ts";

/** A form on a page. */
export interface Form {
  readonly id: string;
  readonly pageId: string;
  readonly pageSlug: string;
  /** The slug of the page that it is sent to: its own, or the one that its sender sees afterwards. */
  readonly actionSlug: string;
  readonly name: string;
  /** Place among the forms of its page. */
  readonly position: number;
  readonly fields: readonly FormField[];
  readonly honeypot: string | null;
  /** Whether the published page holds it and it can be sent. */
  readonly isOpen: boolean;
  readonly createdAt: Date;
}

export interface FormField {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
}

/** A form with what was sent through it; spam is not counted. */
export interface FormSummary extends Form {
  readonly submissionCount: number;
  readonly lastSubmissionAt: Date | null;
}

export interface FormPageKey {
  readonly accountId: string;
  readonly pageSlug: string;
}

const fieldsSchema = z.array(z.object({ name: z.string(), type: z.string(), required: z.boolean() }));

export async function findForm(
  database: Database,
  { accountId, id }: { readonly accountId: string; readonly id: string },
): Promise<Form | undefined> {
  const row = await database
    .selectFrom("form")
    .selectAll()
    .where("account_id", "=", accountId)
    .where("id", "=", id)
    .executeTakeFirst();
  return row && toForm(row);
}

/** All forms of a page, in their order there, also those that it holds no more. */
export async function listPageForms(
  database: Database,
  { accountId, pageSlug }: FormPageKey,
): Promise<readonly Form[]> {
  const rows = await database
    .selectFrom("form")
    .selectAll()
    .where("account_id", "=", accountId)
    .where("page_slug", "=", pageSlug)
    .orderBy("position")
    .orderBy("id")
    .execute();
  return rows.map(toForm);
}

/** The forms that can be sent to a page. */
export async function listOpenForms(
  database: Database,
  { accountId, actionSlug }: { readonly accountId: string; readonly actionSlug: string },
): Promise<readonly Form[]> {
  const rows = await database
    .selectFrom("form")
    .selectAll()
    .where("account_id", "=", accountId)
    .where("action_slug", "=", actionSlug)
    .where("open", "=", 1)
    .orderBy("position")
    .orderBy("id")
    .execute();
  return rows.map(toForm);
}

export async function listForms(
  database: Database,
  accountId: string,
  { pageSlug, window }: { readonly pageSlug: string | undefined; readonly window: Window },
): Promise<Slice<FormSummary>> {
  let query = database
    .selectFrom("form")
    .selectAll()
    .select(({ selectFrom, fn }) => [
      selectFrom("submission")
        .select(fn.countAll<number>().as("count"))
        .whereRef("submission.form_id", "=", "form.id")
        .where("submission.spam", "=", 0)
        .as("submission_count"),
      selectFrom("submission")
        .select((build) => build.fn.max("submission.created_at").as("last"))
        .whereRef("submission.form_id", "=", "form.id")
        .where("submission.spam", "=", 0)
        .as("last_submission_at"),
    ])
    .where("account_id", "=", accountId);
  if (pageSlug !== undefined) query = query.where("page_slug", "=", pageSlug);
  return await readSlice(query, window, toSummary);
}

/** Inserts a form, or replaces the record with the same id. */
export async function saveForm(database: Database, accountId: string, form: Form): Promise<void> {
  const changes = {
    page_id: form.pageId,
    action_slug: form.actionSlug,
    position: form.position,
    fields: JSON.stringify(form.fields),
    honeypot: form.honeypot,
    open: form.isOpen ? 1 : 0,
  };
  await database
    .insertInto("form")
    .values({
      id: form.id,
      account_id: accountId,
      page_slug: form.pageSlug,
      name: form.name,
      created_at: form.createdAt.getTime(),
      ...changes,
    })
    .onConflict((conflict) => conflict.column("id").doUpdateSet(changes))
    .execute();
}

/** Deletes the forms of a page that can't be sent any more and through which nothing was sent. */
export async function deleteUnusedForms(database: Database, { accountId, pageSlug }: FormPageKey): Promise<void> {
  await database
    .deleteFrom("form")
    .where("account_id", "=", accountId)
    .where("page_slug", "=", pageSlug)
    .where("open", "=", 0)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom("submission").select("id").whereRef("submission.form_id", "=", "form.id"))),
    )
    .execute();
}

function toForm(row: Selectable<FormTable>): Form {
  return {
    id: row.id,
    pageId: row.page_id,
    pageSlug: row.page_slug,
    actionSlug: row.action_slug,
    name: row.name,
    position: row.position,
    fields: fieldsSchema.parse(JSON.parse(row.fields)),
    honeypot: row.honeypot,
    isOpen: row.open === 1,
    createdAt: new Date(row.created_at),
  };
}

function toSummary(
  row: Selectable<FormTable> & {
    readonly submission_count: number | null;
    readonly last_submission_at: number | null;
  },
): FormSummary {
  return {
    ...toForm(row),
    submissionCount: row.submission_count ?? 0,
    lastSubmissionAt: row.last_submission_at === null ? null : new Date(row.last_submission_at),
  };
}

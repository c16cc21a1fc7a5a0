import type { InMemory } from "../../contract/fields.ts";
import type { FormRecord } from "../../contract/records.ts";
import { readSlice, type Slice, type Window } from "./keyset.ts";
import type { Database } from "./tables.ts";

/** A form with its submissions; spam is not counted. */
export type FormSummary = InMemory<FormRecord> & Form;

/** A form on a page. */
export interface Form extends Omit<InMemory<FormRecord>, "submissionCount" | "lastSubmissionAt"> {
  /** The slug of the page that it is sent to: its own, or the one that its sender sees afterwards. */
  readonly actionSlug: string;
  /** Place among the forms of its page. */
  readonly position: number;
  readonly honeypot: string | null;
  /** Whether the published page holds it and it can be sent. */
  readonly open: boolean;
}

export type FormField = Form["fields"][number];

export interface FormTable extends Form {
  readonly accountId: string;
}

export interface FormPageKey {
  readonly accountId: string;
  readonly pageSlug: string;
}

export async function findForm(
  database: Database,
  { accountId, id }: { readonly accountId: string; readonly id: string },
): Promise<Form | undefined> {
  return await database
    .selectFrom("form")
    .selectAll()
    .where("accountId", "=", accountId)
    .where("id", "=", id)
    .executeTakeFirst();
}

/** All forms of a page, in their order there, also those that it holds no more. */
export async function listPageForms(
  database: Database,
  { accountId, pageSlug }: FormPageKey,
): Promise<readonly Form[]> {
  return await database
    .selectFrom("form")
    .selectAll()
    .where("accountId", "=", accountId)
    .where("pageSlug", "=", pageSlug)
    .orderBy("position")
    .orderBy("id")
    .execute();
}

/** The forms that can be sent to a page. */
export async function listOpenForms(
  database: Database,
  { accountId, actionSlug }: { readonly accountId: string; readonly actionSlug: string },
): Promise<readonly Form[]> {
  return await database
    .selectFrom("form")
    .selectAll()
    .where("accountId", "=", accountId)
    .where("actionSlug", "=", actionSlug)
    .where("open", "=", true)
    .orderBy("position")
    .orderBy("id")
    .execute();
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
        .whereRef("submission.formId", "=", "form.id")
        .where("submission.spam", "=", false)
        .$asScalar()
        .$notNull()
        .as("submissionCount"),
      selectFrom("submission")
        .select((build) => build.fn.max("submission.createdAt").as("last"))
        .whereRef("submission.formId", "=", "form.id")
        .where("submission.spam", "=", false)
        .as("lastSubmissionAt"),
    ])
    .where("accountId", "=", accountId);
  if (pageSlug !== undefined) query = query.where("pageSlug", "=", pageSlug);
  return await readSlice(query, window);
}

/** Inserts a form, or replaces the record with the same id. */
export async function saveForm(database: Database, accountId: string, form: Form): Promise<void> {
  const { pageId, actionSlug, position, fields, honeypot, open } = form;
  await database
    .insertInto("form")
    .values({ ...form, accountId })
    .onConflict((conflict) =>
      conflict.column("id").doUpdateSet({ pageId, actionSlug, position, fields, honeypot, open }),
    )
    .execute();
}

/** Deletes the forms of a page that can't be sent any more and through which nothing was sent. */
export async function deleteUnusedForms(database: Database, { accountId, pageSlug }: FormPageKey): Promise<void> {
  await database
    .deleteFrom("form")
    .where("accountId", "=", accountId)
    .where("pageSlug", "=", pageSlug)
    .where("open", "=", false)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom("submission").select("id").whereRef("submission.formId", "=", "form.id"))),
    )
    .execute();
}

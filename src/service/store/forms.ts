import type { InMemory } from "../../contract/fields.ts";
import type { FormRecord } from "../../contract/records.ts";
import { readSlice, type Slice, type Window } from "./keyset.ts";
import { matching } from "./rows.ts";
import { readSought, type SortedSlice, type Sought } from "./sorted.ts";
import type { Database } from "./tables.ts";

/** A form with its submission count, excluding spam. */
export type FormSummary = InMemory<FormRecord> & Form;

/** A form on a page. */
export interface Form extends Omit<InMemory<FormRecord>, "submissionCount" | "lastSubmissionAt"> {
  /** The slug of the page that the form submits to: its own, or the one shown after submission. */
  readonly actionSlug: string;
  /** Index among the forms of its page. */
  readonly position: number;
  readonly honeypot: string | null;
  /** Whether the published page contains the form and it can be submitted. */
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

/** Lists matching forms in page order, including those that the page no longer contains. */
export async function listPageForms(
  database: Database,
  match: FormPageKey | (Pick<FormTable, "accountId" | "actionSlug"> & { readonly open: true }),
): Promise<readonly Form[]> {
  return await database
    .selectFrom("form")
    .selectAll()
    .where(matching(match))
    .orderBy("position")
    .orderBy("id")
    .execute();
}

export async function listForms(
  database: Database,
  accountId: string,
  { pageSlug, window }: { readonly pageSlug: string | undefined; readonly window: Window },
): Promise<Slice<FormSummary>> {
  let query = selectForms(database, accountId);
  if (pageSlug !== undefined) query = query.where("pageSlug", "=", pageSlug);
  return await readSlice(query, window);
}

/** Searches forms, optionally by whether they can be submitted. */
export async function findForms(
  database: Database,
  accountId: string,
  { open, ...sought }: Sought & { readonly open: boolean | undefined },
): Promise<SortedSlice<FormSummary>> {
  let query = selectForms(database, accountId);
  if (open !== undefined) query = query.where("open", "=", open);
  return await readSought(database, query, { ...sought, columns: ["name", "pageSlug"] });
}

function selectForms(database: Database, accountId: string) {
  return database
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
}

/** Deletes a page's forms that can no longer be submitted and have no submissions. */
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

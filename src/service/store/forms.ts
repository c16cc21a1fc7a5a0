import type { InMemory } from "../../contract/fields.ts";
import type { FormRecord } from "../../contract/records.ts";
import { readSlice, type Slice, type Window } from "./keyset.ts";
import { matching } from "./rows.ts";
import { readSought, type SortedSlice, type Sought } from "./sorted.ts";
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

/** The forms that match, in their order on the page, also those that the page no longer holds. */
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

/** Forms that a person looks for; with `open` only those that can be sent, or that no longer can. */
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

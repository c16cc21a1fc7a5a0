import { sql } from "kysely";
import type { InMemory } from "../../contract/fields.ts";
import type { FormRecord } from "../../contract/records.ts";
import { type Slice, readSought, type Sought } from "./keyset.ts";
import { isInPart, type PagesPart } from "./preview-slugs.ts";
import { listRows, matching, given } from "./rows.ts";
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
  // Sorted here, so that the statement is built once: building it takes longer than finding the forms of a page.
  const forms = await listRows(database, "form", match);
  return forms.toSorted((left, right) => left.position - right.position || (left.id < right.id ? -1 : 1));
}

/** Lists forms, optionally of a page, or by whether they can be submitted. */
export async function listForms(
  database: Database,
  accountId: string,
  {
    pageSlug,
    open,
    part,
    ...sought
  }: Sought & {
    readonly pageSlug?: string | undefined;
    readonly open?: boolean | undefined;
    /** Default: the forms of all pages. */
    readonly part?: PagesPart | undefined;
  },
): Promise<Slice<FormSummary>> {
  const all = selectForms(database).where(matching({ accountId, ...given({ pageSlug, open }) }));
  const query = part === undefined ? all : all.where(isInPart("pageSlug", part));
  return await readSought(database, query, { ...sought, columns: ["name", "pageSlug"] });
}

function selectForms(database: Database) {
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
    ]);
}

/** Deletes a page's forms that can no longer be submitted and have no submissions. */
export async function deleteUnusedForms(database: Database, key: FormPageKey): Promise<void> {
  await sql`delete from form where ${matching({ ...key, open: false })}
    and not exists (select 1 from submission where submission.form_id = form.id)`.execute(database);
}

import type { FormsExportBody } from "../../contract/requests.ts";
import { renderCsvHeader, renderCsvLines, type CsvSubmission } from "../../contract/submission-csv.ts";
import { readSubmissions, type Submission, type SubmissionFilter } from "../store/submissions.ts";
import type { Context } from "./context.ts";
import { findFormTarget } from "./forms.ts";
import { parseRange } from "./time-range.ts";

/**
 * What an export holds: of one form, of a page, or everything; never spam. Throws `form_not_found`, `page_not_found` or
 * `invalid_range`.
 */
export async function findExportFilter(context: Context, body: FormsExportBody): Promise<SubmissionFilter> {
  const { formId, pageSlug, leadsOnly } = body;
  const byForm = formId === undefined ? undefined : await findFormTarget(context, formId);
  const byPage = pageSlug === undefined ? undefined : await findFormTarget(context, pageSlug);
  return {
    pageSlug: byPage?.pageSlug ?? byForm?.pageSlug,
    formId: byForm?.formId,
    spam: false,
    leadsOnly,
    ...parseRange(body),
  };
}

/** The submissions as CSV, oldest first, in pieces. They are read twice: the first line names every field of all. */
export async function* exportCsv({ database, accountId }: Context, filter: SubmissionFilter): AsyncGenerator<string> {
  const names = new Set<string>();
  let last: string | undefined;
  for await (const part of readSubmissions(database, accountId, filter)) {
    for (const { fields } of part) for (const [name] of fields) names.add(name);
    last = part.at(-1)?.id;
  }
  const fieldNames = [...names];
  yield renderCsvHeader(fieldNames);
  if (last === undefined) return;
  for await (const part of readSubmissions(database, accountId, filter)) {
    // What came in between is left out: its fields may have no column.
    const end = part.findIndex(({ id }) => id === last);
    yield renderCsvLines((end === -1 ? part : part.slice(0, end + 1)).map(toLine), fieldNames);
    if (end !== -1) return;
  }
}

/** The submissions as JSON, exactly as they were sent, in pieces. */
export async function* exportJson(
  { database, accountId }: Context,
  filter: SubmissionFilter,
  { view }: { view(submission: Submission): object },
): AsyncGenerator<string> {
  let separator = '{"data":[';
  for await (const part of readSubmissions(database, accountId, filter)) {
    for (const submission of part) {
      yield separator + JSON.stringify(view(submission));
      separator = ",";
    }
  }
  yield separator === "," ? "]}" : `${separator}]}`;
}

function toLine({ id, createdAt, pageSlug, formId, email, isLead, fields }: Submission): CsvSubmission {
  return {
    ...{ submissionId: id, pageSlug, formId, fields: new Map(fields) },
    createdAt: createdAt.toISOString(),
    email: email ?? "",
    lead: String(isLead),
  };
}

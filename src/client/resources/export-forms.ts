import { ImprintError } from "../../base/error.ts";
import type { FormsExportBody } from "../../contract/requests.ts";
import type { CsvSubmission } from "../../contract/submission-csv.ts";
import type { CallOptions } from "../api.ts";
import type { FormsApi, Submission, SubmissionsApi } from "../visitors-api.ts";

/** The lists that an export is put together from where the service has none. */
export interface ExportSources {
  readonly listForms: FormsApi["list"];
  readonly listSubmissions: SubmissionsApi["list"];
}

/** Puts the document together that the export of route set B answers with: everything oldest first. */
export async function exportFromLists(
  { listForms, listSubmissions }: ExportSources,
  request: FormsExportBody,
  options: CallOptions,
): Promise<string> {
  const { pageSlug, formId, from, to } = request;
  const forms = pageSlug === undefined ? (await listForms({}, options)).items : [{ pageSlug }];
  const submissions: Submission[] = [];
  for (const slug of new Set(forms.flatMap((form) => form.pageSlug ?? []))) {
    submissions.push(...(await listSubmissions(slug, { from, to }, options)).items);
  }
  const wanted = submissions
    .filter((submission) => formId === undefined || submission.formId === formId)
    .filter((submission) => request.leadsOnly !== true || isLead(submission))
    .toSorted((left, right) => (left.createdAt?.getTime() ?? 0) - (right.createdAt?.getTime() ?? 0));
  if (request.format === "json") return JSON.stringify({ data: wanted.map(toPlain) });
  const { renderCsvHeader, renderCsvLines } = await import("../../contract/submission-csv.ts");
  const names = [...new Set(wanted.flatMap(({ fields }) => [...fields.keys()]))];
  return renderCsvHeader(names) + renderCsvLines(wanted.map(toLine), names);
}

function isLead({ lead }: Submission): boolean {
  if (lead !== undefined) return lead;
  throw new ImprintError("NOT_SUPPORTED", "The service does not say which submissions are leads.", {
    hint: "Export all submissions, or use route set B if the service offers it.",
  });
}

function toLine({ id, createdAt, pageSlug = "", formId = "", email = "", lead, fields }: Submission): CsvSubmission {
  const facts = { submissionId: id, pageSlug, formId, email, lead: lead === undefined ? "" : String(lead) };
  return { ...facts, createdAt: createdAt?.toISOString() ?? "", fields };
}

function toPlain({ id, fields, ...facts }: Submission): object {
  return { submissionId: id, ...facts, fields: Object.fromEntries(fields) };
}

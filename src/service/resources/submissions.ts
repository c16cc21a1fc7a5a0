import * as z from "zod";
import { deleteUnusedForms, listPageForms, type Form } from "../store/forms.ts";
import { deleteRecord, deleteRows, findRow, insertRow, updateRows } from "../store/rows.ts";
import { readSubmissions, type Submission, type SubmissionFilter, type SubmittedField } from "../store/submissions.ts";
import { holdName } from "../store/transactions.ts";
import { audit } from "./audit.ts";
import { queueSubmissionMails } from "./mails.ts";
import type { Context } from "./context.ts";
import { recordEvent } from "./events.ts";
import { found } from "./fields.ts";
import { FORM_NAME, isControlField, findFormTarget } from "./forms.ts";
import { ProblemError } from "../http/problem.ts";
import type { FormsExportBody, SubmissionPatchBody } from "../../contract/operations/visitors.ts";
import { renderCsvHeader, renderCsvLines, type CsvSubmission } from "../../contract/submission-csv.ts";
import { parseRange } from "./time-range.ts";

export interface SubmissionReceived {
  readonly form: Form;
  readonly submission: Submission;
}

/**
 * Stores a form submission. If the honeypot is filled in, the response is the same, but the submission is stored as
 * spam without an event. Throws `form_not_found` or `invalid_body`.
 */
export async function receiveSubmission(context: Context, sent: SentForm): Promise<SubmissionReceived> {
  const { database, accountId, newId, now } = context;
  checkEntries(context, sent.entries);
  const forms = await listPageForms(database, { accountId, actionSlug: sent.slug, open: true });
  const form = found(pickForm(forms, sent.entries), "form_not_found");
  const fields = fieldsOf(sent.entries, form.honeypot);
  if (fields.length === 0) throw new ProblemError("invalid_body", { detail: "The form has no named fields." });
  const isSpam = isTrapped(sent.entries, form.honeypot);
  const email = findEmail(fields, form) ?? null;
  if (email !== null) await holdName(database, `lead ${accountId} ${email}`);
  const isKnown = email !== null && (await findRow(database, "submission", { accountId, email, spam: false }));
  const submission: Submission = {
    id: newId("sb"),
    formId: form.id,
    pageId: form.pageId,
    pageSlug: form.pageSlug,
    fields,
    email,
    lead: !isSpam && email !== null && !isKnown,
    spam: isSpam,
    read: false,
    createdAt: now,
  };
  await insertRow(database, "submission", { ...submission, accountId });
  if (!isSpam) {
    await announce(context, form, submission);
    await queueSubmissionMails(context, submission.id);
  }
  return { form, submission };
}

export async function getSubmission({ database, accountId }: Context, id: string): Promise<Submission> {
  return found(await findRow(database, "submission", { accountId, id }), "submission_not_found");
}

/**
 * Marks a submission as read or spam. One that is unmarked as spam becomes a lead if no other has its address, without
 * an event.
 */
export async function patchSubmission(context: Context, id: string, patch: SubmissionPatchBody): Promise<Submission> {
  const { database, accountId } = context;
  const { email, ...known } = await getSubmission(context, id);
  const { read = known.read, spam = known.spam } = patch;
  if (email !== null && spam !== known.spam) await holdName(database, `lead ${accountId} ${email}`);
  const isLead = async () =>
    email !== null && (await findRow(database, "submission", { accountId, email, spam: false })) === undefined;
  const lead = spam === known.spam ? known.lead : !spam && (await isLead());
  await updateRows(database, "submission", { match: { accountId, id }, set: { read, spam, lead } });
  return { ...known, email, read, spam, lead };
}

/** Erases a submission, including its events and deliveries. */
export async function removeSubmission(
  context: Context,
  { pageSlug, id }: { readonly pageSlug: string; readonly id: string },
): Promise<void> {
  const { database, accountId } = context;
  const isDeleted = await deleteRecord(database, "submission", { accountId, pageSlug, id });
  if (!isDeleted) throw new ProblemError("submission_not_found");
  // Deleting events deletes their deliveries.
  await deleteRows(database, "event", { accountId, subject: id });
  await deleteUnusedForms(database, { accountId, pageSlug });
  await audit(context, { action: "submission.deleted", subjectId: id, detail: `of ${pageSlug}` });
}

const MAX_NAME_LENGTH = 200;

function checkEntries({ limits }: Context, entries: readonly SentEntry[]): void {
  if (entries.length > limits.maxFormFields) {
    throw new ProblemError("invalid_body", { detail: `A form may have at most ${limits.maxFormFields} fields.` });
  }
  if (entries.some(([name]) => name.length > MAX_NAME_LENGTH)) {
    throw new ProblemError("invalid_body", { detail: `A field name may have at most ${MAX_NAME_LENGTH} characters.` });
  }
}

function fieldsOf(entries: readonly SentEntry[], honeypot: string | null): readonly SubmittedField[] {
  const fields = new Map<string, string | readonly string[]>();
  for (const [name, value] of entries) {
    if (name === "" || name === honeypot || isControlField(name)) continue;
    const known = fields.get(name);
    fields.set(name, known === undefined ? value : [known, value].flat());
  }
  return [...fields];
}

function isTrapped(entries: readonly SentEntry[], honeypot: string | null): boolean {
  return entries.some(([name, value]) => (name === "_gotcha" || name === honeypot) && value.trim() !== "");
}

const MAX_EMAIL_LENGTH = 254;
const emailSchema = z.email({ pattern: z.regexes.html5Email }).max(MAX_EMAIL_LENGTH);

/** Returns the first valid address in a field of the type `email`, or with such a name. */
function findEmail(fields: readonly SubmittedField[], form: Form): string | undefined {
  const typed = new Set(form.fields.filter(({ type }) => type === "email").map(({ name }) => name));
  const byType = fields.filter(([name]) => typed.has(name));
  const byName = fields.filter(([name]) => /^(?:.*[^a-z])?e-?mail(?:[^a-z].*)?$/i.test(name));
  const values = [...byType, ...byName].flatMap(([, value]) => value).map((value) => value.trim().toLowerCase());
  return values.find((value) => emailSchema.safeParse(value).success);
}

async function announce(context: Context, form: Form, submission: Submission): Promise<void> {
  const { id, pageId, pageSlug, fields, email, createdAt } = submission;
  const data = { submissionId: id, formId: form.id, formName: form.name, pageId, pageSlug };
  await recordEvent(context, {
    type: "form.submitted",
    subject: id,
    data: { ...data, fields: Object.fromEntries(fields), email, createdAt: createdAt.toISOString() },
  });
  if (!submission.lead) return;
  await recordEvent(context, {
    type: "lead.captured",
    subject: id,
    data: { ...data, email, createdAt: createdAt.toISOString() },
  });
}

/**
 * Selects the submitted form among those that point to a page. Browsers don't send which form it was: a hidden field
 * `form-name` determines it, otherwise the form with the most matching field names; the first one if tied.
 */
export function pickForm(forms: readonly Form[], entries: readonly SentEntry[]): Form | undefined {
  const named = entries.find(([name]) => name === FORM_NAME)?.[1]?.trim();
  if (named !== undefined) return forms.find(({ name }) => name === named);
  const sent = new Set(entries.map(([name]) => name));
  const known = (form: Form) => form.fields.filter(({ name }) => sent.has(name)).length;
  const missing = (form: Form) => form.fields.length - known(form);
  return forms.toSorted((left, right) => known(right) - known(left) || missing(left) - missing(right))[0];
}

/** A form submission from a browser. */
export interface SentForm {
  /** Slug of the page that it was sent to. */
  readonly slug: string;
  readonly entries: readonly SentEntry[];
}

export type SentEntry = readonly [name: string, value: string];

/**
 * Returns the filter for an export: of a form, a page, or everything, always without spam. Throws `form_not_found`,
 * `page_not_found` or `invalid_range`.
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

/**
 * Exports submissions as CSV, oldest first, in chunks. Reads them twice: the first line contains the names of all
 * fields.
 */
export async function* exportCsv({ reader, accountId }: Context, filter: SubmissionFilter): AsyncGenerator<string> {
  const names = new Set<string>();
  let last: string | undefined;
  for await (const part of readSubmissions(reader, accountId, filter)) {
    for (const { fields } of part) for (const [name] of fields) names.add(name);
    last = part.at(-1)?.id;
  }
  const fieldNames = [...names];
  yield renderCsvHeader(fieldNames);
  if (last === undefined) return;
  for await (const part of readSubmissions(reader, accountId, filter)) {
    // Skips submissions that arrived since, as their fields may have no column.
    const end = part.findIndex(({ id }) => id === last);
    yield renderCsvLines((end === -1 ? part : part.slice(0, end + 1)).map(toLine), fieldNames);
    if (end !== -1) return;
  }
}

/** Exports submissions as JSON, exactly as they were sent, in chunks. */
export async function* exportJson(
  { reader, accountId }: Context,
  filter: SubmissionFilter,
  { view }: { view(submission: Submission): object },
): AsyncGenerator<string> {
  let separator = '{"data":[';
  for await (const part of readSubmissions(reader, accountId, filter)) {
    for (const submission of part) {
      yield separator + JSON.stringify(view(submission));
      separator = ",";
    }
  }
  yield separator === "," ? "]}" : `${separator}]}`;
}

function toLine({ id, createdAt, pageSlug, formId, email, lead, fields }: Submission): CsvSubmission {
  return {
    submissionId: id,
    pageSlug,
    formId,
    fields: new Map(fields),
    createdAt: createdAt.toISOString(),
    email: email ?? "",
    lead: String(lead),
  };
}

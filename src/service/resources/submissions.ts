import * as z from "zod";
import { deleteUnusedForms, listOpenForms, type Form } from "../store/forms.ts";
import {
  deleteSubmission,
  findSubmission,
  insertSubmission,
  isKnownEmail,
  type Submission,
  type SubmittedField,
} from "../store/submissions.ts";
import { holdName } from "../store/write-transaction.ts";
import type { Context } from "./context.ts";
import { eraseEvents, recordEvent } from "./events.ts";
import { isControlField } from "./form-elements.ts";
import { pickForm } from "./pick-form.ts";
import { ProblemError } from "./problem-error.ts";
import type { SentEntry, SentForm } from "./sent-form.ts";

export interface SubmissionReceived {
  readonly form: Form;
  readonly submission: Submission;
}

/**
 * Stores what a visitor sent. Who fills the trap of a form is told the same as everybody, kept as spam and causes no
 * event. Throws `form_not_found` or `invalid_body`.
 */
export async function receiveSubmission(context: Context, sent: SentForm): Promise<SubmissionReceived> {
  const { database, accountId, newId, now } = context;
  checkEntries(context, sent.entries);
  const form = pickForm(await listOpenForms(database, { accountId, actionSlug: sent.slug }), sent.entries);
  if (form === undefined) throw new ProblemError("form_not_found");
  const fields = fieldsOf(sent.entries, form.honeypot);
  if (fields.length === 0) throw new ProblemError("invalid_body", { detail: "The form has no field with a name." });
  const isSpam = isTrapped(sent.entries, form.honeypot);
  const email = findEmail(fields, form) ?? null;
  if (email !== null) await holdName(database, `lead ${accountId} ${email}`);
  const submission: Submission = {
    id: newId("sb"),
    formId: form.id,
    pageId: form.pageId,
    pageSlug: form.pageSlug,
    fields,
    email,
    isLead: !isSpam && email !== null && !(await isKnownEmail(database, { accountId, email })),
    isSpam,
    createdAt: now,
  };
  await insertSubmission(database, accountId, submission);
  if (!isSpam) await announce(context, form, submission);
  return { form, submission };
}

export async function getSubmission({ database, accountId }: Context, id: string): Promise<Submission> {
  const submission = await findSubmission(database, { accountId, id });
  if (submission === undefined) throw new ProblemError("submission_not_found");
  return submission;
}

/** Erases a submission, also from the events and from what is kept of their delivery. */
export async function removeSubmission(
  context: Context,
  { pageSlug, id }: { readonly pageSlug: string; readonly id: string },
): Promise<void> {
  const { database, accountId } = context;
  const isDeleted = await deleteSubmission(database, { accountId, pageSlug, id });
  if (!isDeleted) throw new ProblemError("submission_not_found");
  await eraseEvents(context, id);
  await deleteUnusedForms(database, { accountId, pageSlug });
}

const MAX_NAME_LENGTH = 200;

function checkEntries({ limits }: Context, entries: readonly SentEntry[]): void {
  if (entries.length > limits.maxFormFields) {
    throw new ProblemError("invalid_body", { detail: `A form may send at most ${limits.maxFormFields} fields.` });
  }
  if (entries.some(([name]) => name.length > MAX_NAME_LENGTH)) {
    throw new ProblemError("invalid_body", { detail: `A field's name has at most ${MAX_NAME_LENGTH} characters.` });
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

/** The first valid address in a field of the type `email`, else in one that is called so. */
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
  if (!submission.isLead) return;
  await recordEvent(context, {
    type: "lead.captured",
    subject: id,
    data: { ...data, email, createdAt: createdAt.toISOString() },
  });
}

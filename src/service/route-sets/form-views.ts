import type { FormRecord, SubmissionRecord } from "../../contract/records.ts";
import type { FormSummary } from "../store/forms.ts";
import type { Submission } from "../store/submissions.ts";

export function viewForm(form: FormSummary): FormRecord {
  return {
    id: form.id,
    name: form.name,
    pageId: form.pageId,
    pageSlug: form.pageSlug,
    fields: form.fields.map((field) => ({ ...field })),
    submissionCount: form.submissionCount,
    createdAt: form.createdAt.toISOString(),
    lastSubmissionAt: form.lastSubmissionAt?.toISOString() ?? null,
  };
}

export function viewSubmission(submission: Submission): SubmissionRecord {
  const fields = submission.fields.map(
    ([name, value]) => [name, typeof value === "string" ? value : [...value]] as const,
  );
  return {
    submissionId: submission.id,
    formId: submission.formId,
    pageId: submission.pageId,
    pageSlug: submission.pageSlug,
    fields: Object.fromEntries(fields),
    createdAt: submission.createdAt.toISOString(),
    email: submission.email,
    lead: submission.isLead,
    spam: submission.isSpam,
  };
}

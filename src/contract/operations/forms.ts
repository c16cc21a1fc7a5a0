import { documentOf, empty, many } from "../answers.ts";
import * as query from "../queries.ts";
import { formRecord, submissionRecord } from "../records.ts";
import * as body from "../requests.ts";
import type { Operation } from "../route.ts";

/** Forms on published pages and what was sent through them. */
export const FORMS_OPERATIONS = {
  "forms.list": {
    scope: "forms:read",
    query: query.formsQuery,
    answers: { 200: many(formRecord) },
    problems: [],
  },
  "submissions.list": {
    scope: "forms:read",
    query: query.submissionsQuery,
    answers: { 200: many(submissionRecord) },
    problems: ["page_not_found", "form_not_found", "invalid_range"],
  },
  "submissions.delete": {
    scope: "forms:write",
    query: query.noQuery,
    answers: { 204: empty },
    problems: ["page_not_found", "submission_not_found"],
  },
  "forms.export": {
    scope: "forms:read",
    query: query.noQuery,
    body: { kind: "json", schema: body.formsExportBody },
    answers: { 200: documentOf("text/csv") },
    problems: ["form_not_found", "page_not_found", "invalid_range"],
  },
} as const satisfies Readonly<Record<string, Operation>>;

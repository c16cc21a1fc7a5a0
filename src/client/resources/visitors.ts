import { ImprintError } from "../../base/error.ts";
import type { FormsExportBody } from "../../contract/operations/visitors.ts";
import type { CsvSubmission } from "../../contract/submission-csv.ts";
import { readList } from "../listing.ts";
import {
  parseForm,
  parseHeatmap,
  parsePageAnalytics,
  parsePageStats,
  parseScrollDepth,
  parseSubmission,
} from "../records/visitor-records.ts";
import { findOrUndefined, jsonBody } from "../request-parts.ts";
import type { Session } from "../session.ts";
import type { AnalyticsApi, FormsApi, Submission, SubmissionsApi } from "../visitors-api.ts";
import { createCalls } from "./calls.ts";

export function createForms(session: Session): FormsApi {
  const list: FormsApi["list"] = ({ pageSlug } = {}, options) => {
    const names = ["forms"];
    return readList(session, { operation: "forms.list", filters: { pageSlug }, names, parse: parseForm, options });
  };
  return {
    list,
    async export(request = {}, { signal } = {}) {
      if (!session.capabilities().operations.has("forms.export")) {
        return exportFromLists(request, { listForms: list, submissions: createSubmissions(session), signal });
      }
      // It changes nothing, so that a lost answer may be asked for again.
      const call = { body: jsonBody(request), expects: "document", repeat: "always", signal } as const;
      return (await session.call("forms.export", call)).text;
    },
  };
}

export function createSubmissions(session: Session): SubmissionsApi {
  return {
    list(pageSlug, { form, from, to, spam } = {}, options) {
      return readList(session, {
        operation: "submissions.list",
        parameters: [pageSlug],
        filters: { form, from, to, spam: spam?.toString() },
        names: ["submissions"],
        parse: parseSubmission,
        options,
      });
    },
    delete(pageSlug, id, options) {
      return createCalls(session).remove("submissions.delete", { ...options, parameters: [pageSlug, id] });
    },
  };
}

/** What an export is put together from where the service has none. */
interface ExportSources {
  readonly listForms: FormsApi["list"];
  readonly submissions: SubmissionsApi;
  readonly signal: AbortSignal | undefined;
}

// Puts the document together that the export of route set B answers with: everything oldest first.
async function exportFromLists(
  request: FormsExportBody,
  { listForms, submissions, signal }: ExportSources,
): Promise<string> {
  const { pageSlug, formId, from, to } = request;
  const forms = pageSlug === undefined ? (await listForms({}, { signal })).items : [{ pageSlug }];
  const all: Submission[] = [];
  for (const slug of new Set(forms.flatMap((form) => form.pageSlug ?? []))) {
    all.push(...(await submissions.list(slug, { from, to }, { signal })).items);
  }
  const wanted = all
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

export function createAnalytics(session: Session): AnalyticsApi {
  return {
    summary({ from, to, siteId, sort } = {}, options) {
      return readList(session, {
        operation: "analytics.summary",
        filters: { from, to, siteId, sort },
        names: ["pages"],
        parse: parsePageStats,
        options,
      });
    },
    async page(idOrSlug, query = {}, { signal } = {}) {
      const call = { parameters: [idOrSlug], query: queryOf(query), signal };
      const reply = await findOrUndefined(session.call("analytics.page", call));
      return reply && parsePageAnalytics(reply.json, { ...reply.context, asked: idOrSlug });
    },
    async heatmap(query, { signal } = {}) {
      const { json, context } = await session.call("analytics.heatmap", { query: queryOf(query), signal });
      return parseHeatmap(json, context);
    },
    async scrollDepth(query, { signal } = {}) {
      const { json, context } = await session.call("analytics.scrollDepth", { query: queryOf(query), signal });
      return parseScrollDepth(json, context);
    },
  };
}

function queryOf(fields: object): Readonly<Record<string, string>> {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.map(([name, value]) => [name, String(value)]));
}

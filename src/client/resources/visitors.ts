import { ImprintError } from "../../base/error.ts";
import { parseJson } from "../../base/json.ts";
import type { FormsExportBody, SubmissionPatchBody } from "../../contract/operations/visitors.ts";
import type { CsvSubmission } from "../../contract/submission-csv.ts";
import type { CallOptions, Listing } from "../api.ts";
import { readList } from "../listing.ts";
import {
  parseForm,
  parseHeatmap,
  parsePageAnalytics,
  parsePageDetails,
  parsePageStats,
  parseScrollDepth,
  parseSubmission,
  type Form,
  type Heatmap,
  type PageAnalytics,
  type PageDetails,
  type PageStats,
  type ScrollDepth,
  type Submission,
} from "../records/visitor-records.ts";
import { parseListPart } from "../records/parse-list.ts";
import { unreadable } from "../records/read-record.ts";
import type { Session, SessionReply } from "../session.ts";
import { jsonBody } from "../transport/body.ts";
import { isHtml } from "../transport/error-body.ts";
import { createCalls, findOrUndefined } from "./calls.ts";
import {
  filterSubmissions,
  type DayRange,
  type FilteredSubmissions,
  type SubmissionsQuery,
} from "./submission-filters.ts";

export type FormsApi = ReturnType<typeof createForms>;

export function createForms(session: Session) {
  async function list(
    { pageSlug }: { readonly pageSlug?: string } = {},
    options?: CallOptions,
  ): Promise<Listing<Form>> {
    const request = { operation: "forms.list", filters: { pageSlug }, names: ["forms"] } as const;
    const listing = await readList(session, { ...request, parse: parseForm, options });
    const isAsked = (form: Form) => pageSlug === undefined || (form.pageSlug ?? pageSlug) === pageSlug;
    return { ...listing, items: listing.items.filter(isAsked) };
  }

  return {
    /** Route set A only. */
    list,
    /**
     * Returns the submissions as a document, oldest first: CSV that is safe to open in spreadsheets, or JSON on
     * request. Route set A has no such request, so the document is built from its lists.
     */
    async export(request: FormsExportBody = {}, { signal }: CallOptions = {}): Promise<string> {
      if (!session.capabilities().operations.has("forms.export")) {
        return exportFromLists(request, { listForms: list, submissions: createSubmissions(session), signal });
      }
      // Read-only, so it can be repeated after a lost response.
      const call = { body: jsonBody(request), expects: "document", repeat: "always", signal } as const;
      const reply = await session.call("forms.export", call);
      return session.capabilities().account === undefined ? await readExport(reply, request) : reply.text;
    },
  };
}

export interface SubmissionListing extends Listing<Submission>, Pick<FilteredSubmissions, "unproven"> {}

export type SubmissionsApi = ReturnType<typeof createSubmissions>;

export function createSubmissions(session: Session) {
  return {
    /** Lists the submissions to the forms of a page; in route set B also to one form, by its id. */
    async list(pageSlug: string, query: SubmissionsQuery = {}, options?: CallOptions): Promise<SubmissionListing> {
      const { form, from, to, spam, unread } = query;
      const listing = await readList(session, {
        operation: "submissions.list",
        parameters: [pageSlug],
        filters: { form, from, to, spam: spam?.toString(), unread: unread?.toString() },
        names: ["submissions"],
        parse: parseSubmission,
        options,
      });
      const isOurs = session.capabilities().account !== undefined;
      return { ...listing, ...(isOurs ? { unproven: [] } : filterSubmissions(listing.items, query)) };
    },
    /** Marks a submission as read or unread, or as spam or not. */
    update: createCalls(session).change<Submission, SubmissionPatchBody>("submissions.patch", parseSubmission),
    /** Route set A only. Erases a submission. Succeeds if it is already gone. */
    delete(pageSlug: string, id: string, options?: CallOptions): Promise<void> {
      return createCalls(session).remove("submissions.delete", { ...options, parameters: [pageSlug, id] });
    },
  };
}

/** Sources for an export if the service doesn't have one. */
interface ExportSources {
  readonly listForms: FormsApi["list"];
  readonly submissions: SubmissionsApi;
  readonly signal: AbortSignal | undefined;
}

// Builds the document that route set B's export returns: everything, oldest first.
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
  const wanted = selectForExport(all, request)
    .filter((submission) => formId === undefined || submission.formId === formId)
    .filter((submission) => request.leadsOnly !== true || isLead(submission))
    .toSorted((left, right) => (left.createdAt?.getTime() ?? 0) - (right.createdAt?.getTime() ?? 0));
  return request.format === "json" ? JSON.stringify({ data: wanted.map(toPlain) }) : await renderCsv(wanted);
}

/** Returns the submissions of the requested days without spam, as a service may ignore the request's range. */
function selectForExport(all: readonly Submission[], { from, to }: FormsExportBody): readonly Submission[] {
  const { items, unproven } = filterSubmissions(all, { from, to });
  if (unproven.length === 0) return items;
  throw new ImprintError("NOT_SUPPORTED", "The service doesn't show when submissions were received.", {
    hint: "Export all submissions, without a range of days.",
  });
}

async function renderCsv(submissions: readonly Submission[]): Promise<string> {
  const { renderCsvHeader, renderCsvLines } = await import("../../contract/submission-csv.ts");
  const names = [...new Set(submissions.flatMap(({ fields }) => [...fields.keys()]))];
  return renderCsvHeader(names) + renderCsvLines(submissions.map(toLine), names);
}

/**
 * Returns the submissions in the response to an export, whose form the specification doesn't show. People delete what
 * they have exported, so anything else is an error: a job for later, a download address, or part of a list.
 */
async function readExport(reply: SessionReply, request: FormsExportBody): Promise<string> {
  const { format } = request;
  const { status, text, headers, query, context } = reply;
  const json = parseJson(text);
  const isCsv = /\bcsv\b/i.test(headers.get("content-type") ?? "") || (text.trim() !== "" && !isHtml(text));
  if (isCsv && json === undefined && status !== 202 && format !== "json") return text;
  const listed = { names: ["submissions", "leads", "rows"], headers, query, before: 0 };
  const part = status === 202 ? undefined : parseListPart(json, listed);
  const isWhole = part !== undefined && ["end", "unsaid"].includes(part.next.kind);
  if (isWhole) {
    const all = part.items.map((item) => parseSubmission(item, context));
    const wanted = selectForExport(all, request);
    if (format !== "json") return await renderCsv(wanted);
    return wanted.length === all.length ? text : JSON.stringify({ data: wanted.map(toPlain) });
  }
  const found = part === undefined ? unreadable("submissions", { ...context, json }).message : undefined;
  const page = isHtml(text) ? `The response to ${context.from} is a web page and contains no submissions.` : found;
  const message = page ?? `The response to ${context.from} contains only ${part?.items.length} of the submissions.`;
  throw new ImprintError("RESPONSE_UNREADABLE", message, { hint: "Export them in the service's dashboard." });
}

function isLead({ lead }: Submission): boolean {
  if (lead !== undefined) return lead;
  throw new ImprintError("NOT_SUPPORTED", "The service doesn't show which submissions are leads.", {
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

export interface LayoutQuery extends DayRange {
  readonly pageId?: string;
  readonly slug?: string;
  readonly device?: "all" | "mobile" | "tablet" | "desktop";
  /** Only views of this version of the page. */
  readonly version?: number;
}

export type AnalyticsApi = ReturnType<typeof createAnalytics>;

export function createAnalytics(session: Session) {
  const analytics = {
    /** Route set A only. */
    summary(
      { from, to, siteId, sort }: DayRange & { readonly siteId?: string; readonly sort?: "views" } = {},
      options?: CallOptions,
    ): Promise<Listing<PageStats>> {
      return readList(session, {
        operation: "analytics.summary",
        filters: { from, to, siteId, sort },
        names: ["pages"],
        parse: parsePageStats,
        options,
      });
    },
    /** Route set B only. Returns `undefined` if the page doesn't exist. */
    async page(
      idOrSlug: string,
      query: DayRange & { readonly interval?: "day" | "hour" } = {},
      { signal }: CallOptions = {},
    ): Promise<PageAnalytics | undefined> {
      const call = { parameters: [idOrSlug], query: queryOf(query), signal };
      const reply = await findOrUndefined(session.call("analytics.page", call));
      return reply && parsePageAnalytics(reply.json, { ...reply.context, asked: idOrSlug });
    },
    /**
     * Returns all statistics of one page, or `undefined` if the page doesn't exist or the service doesn't report them.
     */
    async details(slug: string, query: DayRange = {}, options: CallOptions = {}): Promise<PageDetails | undefined> {
      const { operations } = session.capabilities();
      if (operations.has("pages.analytics")) {
        const call = { parameters: [slug], query: queryOf(query), ...options };
        const reply = await findOrUndefined(session.call("pages.analytics", call));
        return reply && parsePageDetails(reply.json, { ...reply.context, asked: slug });
      }
      const page = operations.has("analytics.page") ? await analytics.page(slug, query, options) : undefined;
      if (page === undefined) return undefined;
      const layout = { ...query, pageId: page.totals.id ?? slug };
      const [scrollDepth, heatmap] = await Promise.all([
        analytics.scrollDepth(layout, options),
        analytics.heatmap(layout, options),
      ]);
      return { ...page, scrollDepth, heatmap };
    },
    /** Route set B only. */
    async heatmap(query: LayoutQuery, { signal }: CallOptions = {}): Promise<Heatmap> {
      const { json, context } = await session.call("analytics.heatmap", { query: queryOf(query), signal });
      return parseHeatmap(json, context);
    },
    /** Route set B only. */
    async scrollDepth(query: LayoutQuery, { signal }: CallOptions = {}): Promise<ScrollDepth> {
      const { json, context } = await session.call("analytics.scrollDepth", { query: queryOf(query), signal });
      return parseScrollDepth(json, context);
    },
  };
  return analytics;
}

function queryOf(fields: object): Readonly<Record<string, string>> {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.map(([name, value]) => [name, String(value)]));
}

import { ImprintError } from "../../base/error.ts";
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
import type { Session } from "../session.ts";
import { jsonBody } from "../transport/body.ts";
import { createCalls, findOrUndefined } from "./calls.ts";

/** A span of days in UTC, both written as `2026-08-01` and both in it. The service decides what is meant without. */
export interface DayRange {
  readonly from?: string;
  readonly to?: string;
}

export interface SubmissionsQuery extends DayRange {
  /** Name of one form of the page. */
  readonly form?: string;
  /** Lists what was taken for spam in place of everything else. */
  readonly spam?: boolean;
  /** Lists only what nobody has read. */
  readonly unread?: boolean;
}

export type FormsApi = ReturnType<typeof createForms>;

export function createForms(session: Session) {
  function list({ pageSlug }: { readonly pageSlug?: string } = {}, options?: CallOptions): Promise<Listing<Form>> {
    const names = ["forms"];
    return readList(session, { operation: "forms.list", filters: { pageSlug }, names, parse: parseForm, options });
  }

  return {
    /** Route set A only. */
    list,
    /**
     * The submissions as a document, oldest first: CSV that spreadsheets open without running it, or JSON where that is
     * asked for. Route set A has no such request, so that it is put together from its lists.
     */
    async export(request: FormsExportBody = {}, { signal }: CallOptions = {}): Promise<string> {
      if (!session.capabilities().operations.has("forms.export")) {
        return exportFromLists(request, { listForms: list, submissions: createSubmissions(session), signal });
      }
      // It changes nothing, so that a lost answer may be asked for again.
      const call = { body: jsonBody(request), expects: "document", repeat: "always", signal } as const;
      return (await session.call("forms.export", call)).text;
    },
  };
}

export type SubmissionsApi = ReturnType<typeof createSubmissions>;

export function createSubmissions(session: Session) {
  return {
    /** What was sent through the forms of a page; in route set B also through one form, by its id. */
    list(
      pageSlug: string,
      { form, from, to, spam, unread }: SubmissionsQuery = {},
      options?: CallOptions,
    ): Promise<Listing<Submission>> {
      return readList(session, {
        operation: "submissions.list",
        parameters: [pageSlug],
        filters: { form, from, to, spam: spam?.toString(), unread: unread?.toString() },
        names: ["submissions"],
        parse: parseSubmission,
        options,
      });
    },
    /** Marks a submission as read or unread, as spam or not. */
    update: createCalls(session).change<Submission, SubmissionPatchBody>("submissions.patch", parseSubmission),
    /** Route set A only. Erases a submission; one that is gone already is no error. */
    delete(pageSlug: string, id: string, options?: CallOptions): Promise<void> {
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
    /** Route set B only. `undefined` when there is no such page. */
    async page(
      idOrSlug: string,
      query: DayRange & { readonly interval?: "day" | "hour" } = {},
      { signal }: CallOptions = {},
    ): Promise<PageAnalytics | undefined> {
      const call = { parameters: [idOrSlug], query: queryOf(query), signal };
      const reply = await findOrUndefined(session.call("analytics.page", call));
      return reply && parsePageAnalytics(reply.json, { ...reply.context, asked: idOrSlug });
    },
    /** Everything that is known of one page; `undefined` when there is no such page, or the service doesn't say. */
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

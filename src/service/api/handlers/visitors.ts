import { submissionRecord } from "../../../contract/records.ts";
import { analyzePage, drawHeatmap, measureScrollDepth, summarize } from "../../resources/analytics.ts";
import { addDomain, checkDomain, patchDomain, removeDomain, viewDomains } from "../../resources/domains.ts";
import { findFormTarget } from "../../resources/forms.ts";
import {
  exportCsv,
  exportJson,
  findExportFilter,
  patchSubmission,
  removeSubmission,
} from "../../resources/submissions.ts";
import { analyzeVisits } from "../../resources/visits.ts";
import { formatDay, parseRange } from "../../resources/time-range.ts";
import { listDomains } from "../../store/domains.ts";
import { listForms } from "../../store/forms.ts";
import { formatCursor } from "../../store/keyset.ts";
import { listSubmissions, type Submission } from "../../store/submissions.ts";
import type { Handlers } from "../call.ts";
import { pick, recordReply, windowOf } from "../reply.ts";
import { viewForm, viewSubmission } from "../views.ts";
import { changing, listing, removing } from "./rows.ts";

export const VISITOR_HANDLERS = {
  async "analytics.summary"({ context, query }) {
    const { next, ...summary } = await summarize(context, query, windowOf(query, context));
    const nextCursor = next === undefined ? null : formatCursor(next);
    return { kind: "json", status: 200, body: { ...summary, nextCursor } };
  },

  async "analytics.page"({ context, query, target }) {
    return { kind: "json", status: 200, body: await analyzePage(context, target, query) };
  },

  async "analytics.heatmap"({ context, query }) {
    return { kind: "json", status: 200, body: await drawHeatmap(context, query) };
  },

  async "analytics.scrollDepth"({ context, query }) {
    return { kind: "json", status: 200, body: await measureScrollDepth(context, query) };
  },

  async "analytics.visits"({ context, query }) {
    return { kind: "json", status: 200, body: await analyzeVisits(context, query, { limit: 100 }) };
  },

  async "pages.analytics"({ context, query, target }) {
    const layout = { ...query, slug: target };
    const page = await analyzePage(context, target, query);
    const scrollDepth = await measureScrollDepth(context, layout);
    return { kind: "json", status: 200, body: { ...page, scrollDepth, heatmap: await drawHeatmap(context, layout) } };
  },

  "forms.list": listing(
    ({ reader, accountId }, { query: { pageSlug } }, window) => listForms(reader, accountId, { pageSlug, window }),
    viewForm,
  ),
  "submissions.list": listing(async (context, { query, target }, window) => {
    const range = parseRange(query);
    const { pageSlug, formId } = await findFormTarget(context, target, query.form);
    return await listSubmissions(context.database, context.accountId, {
      window,
      filter: { pageSlug, formId, spam: query.spam ?? false, unread: query.unread, ...range },
    });
  }, viewSubmission),
  "submissions.patch": changing(async (context, { target, body }) =>
    viewSubmission(await patchSubmission(context, target, body)),
  ),
  "submissions.delete": removing(async (context, { target, member }) => {
    await findFormTarget(context, target);
    await removeSubmission(context, { pageSlug: target, id: member });
  }),

  async "forms.export"({ context, body, strict }) {
    const filter = await findExportFilter(context, body);
    const isCsv = body.format !== "json";
    const fields = Object.keys(strict ? submissionRecord.minimum.shape : submissionRecord.full.shape);
    const view = (submission: Submission) => pick(viewSubmission(submission), fields);
    const text = isCsv ? exportCsv(context, filter) : exportJson(context, filter, { view });
    const name = `${filter.pageSlug ?? "submissions"}-${formatDay(context.now.getTime())}.${isCsv ? "csv" : "json"}`;
    return {
      kind: "document",
      status: 200,
      bytes: ReadableStream.from(text).pipeThrough(new TextEncoderStream()),
      headers: {
        "Content-Type": isCsv ? "text/csv; charset=utf-8; header=present" : "application/json",
        "Content-Disposition": `attachment; filename="${name}"`,
        "Cache-Control": "private, no-store",
      },
    };
  },

  "domains.list": listing(
    async (context, _, window) => {
      const { items, next } = await listDomains(context.database, context.accountId, { window });
      return { items: await viewDomains(context, items), next };
    },
    (record) => record,
  ),

  async "domains.create"({ context, body, write }) {
    const reply = await write(async (transaction) => {
      const { domain, outcome } = await addDomain(transaction, body);
      const [record = {}] = await viewDomains(transaction, [domain]);
      return recordReply(record, outcome === "created" ? "/api/custom-domains" : undefined);
    });
    context.domains.wake();
    return reply;
  },

  async "domains.patch"({ context, target, body: { verify, ...patch }, write }) {
    const reply = await write(async (transaction) => {
      const domain = await patchDomain(transaction, target, patch);
      const [record = {}] = await viewDomains(transaction, [domain]);
      return { kind: "record", status: 200, record };
    });
    if (verify !== true) return reply;
    const [record = {}] = await viewDomains(context, [await checkDomain(context, target)]);
    return { kind: "record", status: 200, record };
  },

  "domains.delete": removing((context, { target }) => removeDomain(context, target)),
} as const satisfies Handlers;

import { submissionRecord } from "../../../contract/records.ts";
import { exportCsv, exportJson, findExportFilter, removeSubmission } from "../../resources/submissions.ts";
import { findFormTarget } from "../../resources/forms.ts";
import { formatDay, parseRange } from "../../resources/time-range.ts";
import { listForms } from "../../store/forms.ts";
import { listSubmissions, type Submission } from "../../store/submissions.ts";
import type { Handlers } from "../call.ts";
import { viewForm, viewSubmission } from "../views.ts";
import { listReply, windowOf } from "../reply.ts";

export const FORM_HANDLERS = {
  async "forms.list"({ context, query }) {
    const wanted = { window: windowOf(query, context), pageSlug: query.pageSlug };
    return listReply(await listForms(context.database, context.accountId, wanted), { context, view: viewForm });
  },

  async "submissions.list"({ context, query, target }) {
    const range = parseRange(query);
    const { pageSlug, formId } = await findFormTarget(context, target, query.form);
    const slice = await listSubmissions(context.database, context.accountId, {
      window: windowOf(query, context),
      filter: { pageSlug, formId, spam: query.spam ?? false, ...range },
    });
    return listReply(slice, { context, view: viewSubmission });
  },

  async "submissions.delete"({ target, member, write }) {
    return await write(async (context) => {
      await findFormTarget(context, target);
      await removeSubmission(context, { pageSlug: target, id: member });
      return { kind: "empty", status: 204 };
    });
  },

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
} as const satisfies Handlers;

function pick(record: object, fields: readonly string[]): object {
  return Object.fromEntries(Object.entries(record).filter(([name]) => fields.includes(name)));
}

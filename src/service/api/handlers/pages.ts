import { pageRecord } from "../../../contract/records.ts";
import { publicPageUrl } from "../../resources/addresses.ts";
import {
  createPage,
  decodeHtml,
  editPage,
  editPageHtml,
  getPage,
  getPageHtml,
  putPage,
  removePage,
} from "../../resources/pages.ts";
import { createSite, getSite, patchSite, removeSite, replaceSite } from "../../resources/sites.ts";
import { ProblemError } from "../../http/problem.ts";
import { checkScope } from "../../auth/authenticate.ts";
import { listPages } from "../../store/pages.ts";
import { listSites } from "../../store/sites.ts";
import type { Call, Handlers } from "../call.ts";
import { listReply, recordReply, versionedReply, windowOf } from "../reply.ts";
import { isFresh, versionTag } from "../../http/messages.ts";
import { viewPage, viewSite } from "../views.ts";
import { changing, listing, removing, writing } from "./rows.ts";

// The fields that the specification shows in the response to an upsert in route set A.
const UPSERT_FIELDS_A = ["id", "slug", "url"] as const;

export const PAGE_HANDLERS = {
  async "pages.list"(call) {
    const { context, query } = call;
    const filter = {
      status: query.status,
      siteId: query.siteId,
      text: query.q,
      updatedSince: query.updatedSince === undefined ? undefined : new Date(query.updatedSince),
    };
    const isFiltered = Object.values(filter).some((value) => value !== undefined);
    // A filter may scan every page to find a few.
    const database = isFiltered ? context.reader : context.database;
    const slice = await listPages(database, context.accountId, { window: windowOf(query, context), filter });
    return listReply(slice, { context, fields: parseFields(query.fields), view: (page) => viewPage(page, call) });
  },

  async "pages.get"(call) {
    const page = await getPage(call.context, call.target);
    const etag = versionTag(page.version);
    if (isFresh(call.ifNoneMatch, etag)) return { kind: "not-modified", etag };
    const record = viewPage(page, call);
    if (call.query.include !== "html") return { kind: "record", status: 200, record, etag };
    const html = decodeHtml(await getPageHtml(call.context, page));
    return { kind: "record", status: 200, record: { ...record, html }, etag };
  },

  async "pages.put"(call) {
    return await call.write(async (context) => {
      const change = { ...call.body, slug: call.target };
      const { page, outcome } = await putPage(context, change, call.preconditions);
      const reply = {
        kind: "record",
        record: viewPage(page, call),
        ...(call.routeSet === "a" && { only: UPSERT_FIELDS_A }),
      } as const;
      return outcome === "created"
        ? { ...reply, status: 201, location: locationOf(page.slug, call) }
        : { ...reply, status: 200 };
    }, "shared");
  },

  "pages.patch": changing(async (context, call) => {
    const { target: slug, body: edit, preconditions } = call;
    return viewPage((await editPage(context, { slug, edit, preconditions })).page, call);
  }, "shared"),
  "pages.edit": changing(async (context, call) => {
    const { target: slug, body, preconditions } = call;
    return viewPage(await editPageHtml(context, { slug, ...body, preconditions }), call);
  }, "shared"),
  "pages.create": writing(async (context, call) => {
    const page = await createPage(context, call.body);
    return recordReply(viewPage(page, call), locationOf(page.slug, call));
  }, "shared"),
  "pages.delete": removing((context, { target, preconditions }) => removePage(context, target, preconditions)),

  async "pages.raw"(call) {
    const page = await getPage(call.context, call.target);
    if (page.status !== "published") checkMayReadDraft(call);
    const etag = `"${page.contentHash}"`;
    // A page on the API's host must not act with that host's origin.
    const guard = { "Content-Security-Policy": "sandbox allow-scripts allow-forms allow-popups" };
    if (isFresh(call.ifNoneMatch, etag)) return { kind: "not-modified", etag, headers: guard };
    return {
      kind: "document",
      status: 200,
      bytes: await getPageHtml(call.context, page),
      headers: { ...guard, "Content-Type": "text/html; charset=utf-8", ETag: etag },
    };
  },

  "sites.list": listing((context, _, window) => listSites(context.database, context.accountId, { window }), viewSite),
  "sites.create": writing(async (context, { body, routeSet }) => {
    const { site, outcome } = await createSite(context, body);
    // Route set B has no URL for a single site.
    const location = routeSet === "a" ? `/api/sites/${site.id}` : "/api/sites";
    return recordReply(viewSite(site, context), outcome === "created" ? location : undefined);
  }),
  async "sites.get"({ context, target, ifNoneMatch }) {
    return versionedReply(viewSite(await getSite(context, target), context), ifNoneMatch);
  },
  "sites.patch": changing(async (context, { target, body, preconditions }) =>
    viewSite(await patchSite(context, { id: target, patch: body, preconditions }), context),
  ),
  "sites.put": changing(async (context, { target, body, preconditions }) =>
    viewSite(await replaceSite(context, { id: target, body, preconditions }), context),
  ),
  "sites.delete": removing((context, { target, query, preconditions }) =>
    removeSite(context, { id: target, pages: query.pages ?? "keep", preconditions }),
  ),
} as const satisfies Handlers;

function locationOf(slug: string, { routeSet, context }: Pick<Call<"pages.put">, "routeSet" | "context">): string {
  return routeSet === "a" ? `/api/pages/${slug}` : publicPageUrl(context.addresses, slug);
}

function checkMayReadDraft({ credential }: Pick<Call<"pages.raw">, "credential">): void {
  if (credential === undefined) throw new ProblemError("page_not_found");
  checkScope(credential, "pages:read");
}

function parseFields(text: string | undefined): readonly string[] | undefined {
  if (text === undefined) return undefined;
  const fields = text.split(",").map((field) => field.trim());
  const unknown = fields.filter((field) => !(field in pageRecord.full.shape) || field === "html");
  if (unknown.length === 0) return fields;
  throw new ProblemError("invalid_query", {
    errors: unknown.map((field) => ({ pointer: "/query/fields", detail: `"${field}" is not a field of pages` })),
  });
}

import { createSite, getSite, patchSite, removeSite, replaceSite } from "../../resources/sites.ts";
import { listSites } from "../../store/sites.ts";
import type { Handlers } from "../call.ts";
import { listReply, windowOf } from "../reply.ts";
import { isFresh, versionTag } from "../../http/request.ts";
import { viewSite } from "../views.ts";

export const SITE_HANDLERS = {
  async "sites.list"({ context, query }) {
    const slice = await listSites(context.database, context.accountId, windowOf(query, context));
    return listReply(slice, { context, view: (site) => viewSite(site, context) });
  },

  async "sites.create"({ body, routeSet, write }) {
    return await write(async (context) => {
      const { site, outcome } = await createSite(context, body);
      const record = viewSite(site, context);
      if (outcome === "existing") return { kind: "record", status: 200, record };
      // Route set B has no address of a single site.
      const location = routeSet === "a" ? `/api/sites/${site.id}` : "/api/sites";
      return { kind: "record", status: 201, record, location };
    });
  },

  async "sites.get"({ context, target, ifNoneMatch }) {
    const site = await getSite(context, target);
    const etag = versionTag(site.version);
    if (isFresh(ifNoneMatch, etag)) return { kind: "not-modified", etag };
    return { kind: "record", status: 200, record: viewSite(site, context), etag };
  },

  async "sites.patch"({ target, body, preconditions, write }) {
    return await write(async (context) => {
      const site = await patchSite(context, { id: target, patch: body, preconditions });
      return { kind: "record", status: 200, record: viewSite(site, context) };
    });
  },

  async "sites.put"({ target, body, preconditions, write }) {
    return await write(async (context) => {
      const site = await replaceSite(context, { id: target, body, preconditions });
      return { kind: "record", status: 200, record: viewSite(site, context) };
    });
  },

  async "sites.delete"({ target, query, preconditions, write }) {
    return await write(async (context) => {
      await removeSite(context, { id: target, pages: query.pages ?? "keep", preconditions });
      return { kind: "empty", status: 204 };
    });
  },
} as const satisfies Handlers;

import { createSite, getSite, patchSite, removeSite, replaceSite } from "../../resources/sites.ts";
import { listSites } from "../../store/sites.ts";
import type { Handlers } from "../call.ts";
import { listReply, windowOf, recordReply, versionedReply } from "../reply.ts";
import { viewSite } from "../views.ts";

export const SITE_HANDLERS = {
  async "sites.list"({ context, query }) {
    const slice = await listSites(context.database, context.accountId, windowOf(query, context));
    return listReply(slice, { context, view: (site) => viewSite(site, context) });
  },

  async "sites.create"({ body, routeSet, write }) {
    return await write(async (context) => {
      const { site, outcome } = await createSite(context, body);
      // Route set B has no address of a single site.
      const location = routeSet === "a" ? `/api/sites/${site.id}` : "/api/sites";
      return recordReply(viewSite(site, context), outcome === "created" ? location : undefined);
    });
  },

  async "sites.get"({ context, target, ifNoneMatch }) {
    return versionedReply(viewSite(await getSite(context, target), context), ifNoneMatch);
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

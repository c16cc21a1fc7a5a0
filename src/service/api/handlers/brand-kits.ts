import type { RouteSetName } from "../../../contract/route.ts";
import { createBrandKit, getBrandKit, removeBrandKit, replaceBrandKit } from "../../resources/brand-kits.ts";
import { extractBrandKit, saveExtracted, storeLogos } from "../../resources/extract-brand-kit.ts";
import { listBrandKits } from "../../store/brand-kits.ts";
import type { Handlers } from "../call.ts";
import { listReply, windowOf, versionedReply } from "../reply.ts";
import { viewBrandKit } from "../views.ts";

export const BRAND_KIT_HANDLERS = {
  async "brandKits.list"({ context, query }) {
    const slice = await listBrandKits(context.database, context.accountId, windowOf(query, context));
    return listReply(slice, { context, view: viewBrandKit });
  },

  async "brandKits.create"({ body, routeSet, write }) {
    return await write(async (context) => {
      const kit = await createBrandKit(context, body);
      return { kind: "record", status: 201, record: viewBrandKit(kit), location: locationOf(kit.id, routeSet) };
    });
  },

  async "brandKits.extract"({ context, body, routeSet, write }) {
    const extracted = await extractBrandKit(context, body);
    if (body.save !== true) {
      const { name, colors = [], fonts = [], logos = [] } = extracted.kit;
      return await write(async () => ({ kind: "json", status: 200, body: { name, colors, fonts, logos } }));
    }
    const logos = await storeLogos(context, extracted);
    return await write(async (context) => {
      const kit = await saveExtracted(context, extracted, logos);
      return { kind: "record", status: 201, record: viewBrandKit(kit), location: locationOf(kit.id, routeSet) };
    });
  },

  async "brandKits.get"({ context, target, ifNoneMatch }) {
    return versionedReply(viewBrandKit(await getBrandKit(context, target)), ifNoneMatch);
  },

  async "brandKits.put"({ target, body, preconditions, write }) {
    return await write(async (context) => {
      const kit = await replaceBrandKit(context, { id: target, body, preconditions });
      return { kind: "record", status: 200, record: viewBrandKit(kit) };
    });
  },

  async "brandKits.delete"({ target, preconditions, write }) {
    return await write(async (context) => {
      await removeBrandKit(context, target, preconditions);
      return { kind: "empty", status: 204 };
    });
  },
} as const satisfies Handlers;

function locationOf(id: string, routeSet: RouteSetName): string {
  // Route set B has no address of a single brand kit.
  return routeSet === "a" ? `/api/brand-kits/${id}` : "/api/brand-kits";
}

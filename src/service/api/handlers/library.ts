import type { AssetUploadFields } from "../../../contract/operations/library.ts";
import type { RouteSetName } from "../../../contract/route.ts";
import { createBrandKit, getBrandKit, removeBrandKit, replaceBrandKit } from "../../resources/brand-kits.ts";
import type { Context } from "../../resources/context.ts";
import { extractBrandKit, saveExtracted, storeLogos } from "../../resources/extract-brand-kit.ts";
import { readUnreadTexts } from "../../resources/asset-uses.ts";
import {
  importFile,
  addAsset,
  inspectFile,
  patchAsset,
  removeAsset,
  type AcceptedFile,
  type AcceptedTypes,
} from "../../resources/library.ts";
import { ProblemError } from "../../http/problem.ts";
import { listAssets } from "../../store/assets.ts";
import { listBrandKits } from "../../store/brand-kits.ts";
import type { Handlers, UploadedFile } from "../call.ts";
import { recordReply, versionedReply, type Reply } from "../reply.ts";
import { viewAsset, viewBrandKit } from "../views.ts";
import { changing, listing, removing, writing } from "./rows.ts";

export const LIBRARY_HANDLERS = {
  "assets.list": listing(({ reader, accountId }, { query: { q: text, type, hash } }, window) => {
    return listAssets(reader, accountId, { filter: { text, type, hash }, window });
  }, viewAsset),

  async "assets.upload"({ context, files, body, write }) {
    if (files.length > 1) {
      throw new ProblemError("invalid_body", { errors: [{ pointer: "/body/file", detail: "must be a single file" }] });
    }
    const [accepted] = await acceptFiles(context, files, "any");
    if (accepted === undefined) throw new ProblemError("invalid_body");
    return await write((transaction) => replyAdded(transaction, accepted, body), "shared");
  },

  async "assets.uploadImages"({ context, files, body, write }) {
    const accepted = await acceptFiles(context, files, "images");
    // A name applies to one file only.
    const fields = files.length === 1 ? body : { ...body, name: undefined };
    return await write(async (transaction) => {
      const written = [];
      for (const file of accepted) written.push(await addAsset(transaction, file, fields));
      return {
        kind: "list",
        status: written.some(({ outcome }) => outcome === "created") ? 201 : 200,
        items: written.map(({ asset }) => viewAsset(asset, transaction)),
      };
    }, "shared");
  },

  async "assets.import"({ context, body, write }) {
    const accepted = await importFile(context, body);
    return await write((transaction) => replyAdded(transaction, accepted, body));
  },

  "assets.patch": changing(async (context, { target, body }) =>
    viewAsset(await patchAsset(context, target, body), context),
  ),

  async "assets.delete"({ context: { database, blobs }, target, query, write }) {
    await readUnreadTexts({ database, blobs });
    return await write(async (context) => {
      await removeAsset(context, { id: target, force: query.force ?? false });
      return { kind: "empty", status: 204 };
    });
  },

  "brandKits.list": listing(
    (context, _, window) => listBrandKits(context.database, context.accountId, { window }),
    viewBrandKit,
  ),
  "brandKits.create": writing(async (context, { body, routeSet }) => {
    const kit = await createBrandKit(context, body);
    return recordReply(viewBrandKit(kit), locationOf(kit.id, routeSet));
  }),

  async "brandKits.extract"({ context, body, routeSet, strict, write }) {
    const extracted = await extractBrandKit(context, body);
    if (body.save !== true) {
      const { name, colors = [], fonts = [], logos = [], design } = extracted.kit;
      const kit = { name, colors, fonts, logos, ...(strict ? {} : { design }) };
      return await write(async () => ({ kind: "json", status: 200, body: kit }));
    }
    const logos = await storeLogos(context, extracted);
    return await write(async (context) => {
      const kit = await saveExtracted(context, extracted, logos);
      return recordReply(viewBrandKit(kit), locationOf(kit.id, routeSet));
    });
  },

  async "brandKits.get"({ context, target, ifNoneMatch }) {
    return versionedReply(viewBrandKit(await getBrandKit(context, target)), ifNoneMatch);
  },

  "brandKits.put": changing(async (context, { target, body, preconditions }) =>
    viewBrandKit(await replaceBrandKit(context, { id: target, body, preconditions })),
  ),
  "brandKits.delete": removing((context, { target, preconditions }) => removeBrandKit(context, target, preconditions)),
} as const satisfies Handlers;

async function replyAdded(context: Context, accepted: AcceptedFile, fields: AssetUploadFields): Promise<Reply> {
  const { asset, outcome } = await addAsset(context, accepted, fields);
  const record = viewAsset(asset, context);
  return recordReply(record, outcome === "created" ? record.url : undefined);
}

/** Checks all files before storing any, so that a rejected one leaves nothing behind. */
async function acceptFiles(
  context: Context,
  files: readonly UploadedFile[],
  types: AcceptedTypes,
): Promise<readonly AcceptedFile[]> {
  const accepted: AcceptedFile[] = [];
  for (const [index, file] of files.entries()) {
    accepted.push(await inspectFile(context, file, types).catch((error: unknown) => namePart(error, index)));
  }
  for (const [index, { hash }] of accepted.entries()) {
    const file = files[index];
    if (file !== undefined) await context.blobs.write(hash, file.bytes);
  }
  return accepted;
}

function namePart(error: unknown, index: number): never {
  if (!(error instanceof ProblemError)) throw error;
  throw new ProblemError(error.code, {
    ...error.details,
    errors: [{ pointer: `/body/file/${index}`, detail: error.message }],
  });
}

function locationOf(id: string, routeSet: RouteSetName): string {
  // Route set B has no address of a single brand kit.
  return routeSet === "a" ? `/api/brand-kits/${id}` : "/api/brand-kits";
}

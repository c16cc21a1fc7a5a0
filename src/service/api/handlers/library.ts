import type { AssetUploadFields } from "../../../contract/operations/content.ts";
import { assetRecord } from "../../../contract/records.ts";
import type { Context } from "../../resources/context.ts";
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
import type { Handlers, UploadedFile } from "../call.ts";
import { listReply, windowOf, recordReply, type Reply } from "../reply.ts";
import { viewAsset } from "../views.ts";

export const LIBRARY_HANDLERS = {
  async "assets.list"({ context, query }) {
    const slice = await listAssets(context.database, context.accountId, {
      window: windowOf(query, context),
      filter: { text: query.q, type: query.type, hash: query.hash },
    });
    return listReply(slice, { context, view: (asset) => viewAsset(asset, context) });
  },

  async "assets.upload"({ context, files, body, write }) {
    if (files.length > 1) {
      throw new ProblemError("invalid_body", { errors: [{ pointer: "/body/file", detail: "has to be one file" }] });
    }
    const [accepted] = await acceptFiles(context, files, "any");
    if (accepted === undefined) throw new ProblemError("invalid_body");
    return await write((transaction) => replyAdded(transaction, accepted, body), "shared");
  },

  async "assets.uploadImages"({ context, files, body, write }) {
    const accepted = await acceptFiles(context, files, "images");
    // A name belongs to one file.
    const fields = files.length === 1 ? body : { ...body, name: undefined };
    return await write(async (transaction) => {
      const written = [];
      for (const file of accepted) written.push(await addAsset(transaction, file, fields));
      return {
        kind: "list",
        record: assetRecord,
        status: written.some(({ outcome }) => outcome === "created") ? 201 : 200,
        items: written.map(({ asset }) => viewAsset(asset, transaction)),
      };
    }, "shared");
  },

  async "assets.import"({ context, body, write }) {
    const accepted = await importFile(context, body);
    return await write((transaction) => replyAdded(transaction, accepted, body));
  },

  async "assets.patch"({ target, body, write }) {
    return await write(async (context) => {
      const asset = await patchAsset(context, target, body);
      return { kind: "record", status: 200, record: viewAsset(asset, context) };
    });
  },

  async "assets.delete"({ context: { database, blobs }, target, query, write }) {
    await readUnreadTexts({ database, blobs });
    return await write(async (context) => {
      await removeAsset(context, { id: target, force: query.force ?? false });
      return { kind: "empty", status: 204 };
    });
  },
} as const satisfies Handlers;

async function replyAdded(context: Context, accepted: AcceptedFile, fields: AssetUploadFields): Promise<Reply> {
  const { asset, outcome } = await addAsset(context, accepted, fields);
  const record = viewAsset(asset, context);
  return recordReply(record, outcome === "created" ? record.url : undefined);
}

/** Looks at all files before any is stored, so that one that is refused leaves nothing behind. */
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

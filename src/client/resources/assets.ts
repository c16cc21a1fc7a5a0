import { ImprintError } from "../../base/error.ts";
import type { AssetInput, ImprintApi } from "../api.ts";
import { readFirst, readList } from "../listing.ts";
import { parseAsset } from "../records/parse-records.ts";
import { creation, findOrUndefined, jsonBody } from "../request-parts.ts";
import type { RouteSetCalls } from "../route-set.ts";
import type { Session, SessionReply } from "../session.ts";
import { encodeMultipart } from "../transport/multipart.ts";
import type { Part } from "../transport/multipart.ts";

const LIST_NAMES = ["assets", "library", "files", "images"];

export function createAssets(session: Session, calls: RouteSetCalls): ImprintApi["assets"] {
  const parse = ({ json, context }: SessionReply) => parseAsset(json, context);
  return {
    list({ hash } = {}, options) {
      return readList(session, {
        operation: "assets.list",
        filters: { hash },
        names: LIST_NAMES,
        parse: parseAsset,
        options,
      });
    },
    newest: (options) =>
      readFirst(session, { operation: "assets.list", names: LIST_NAMES, parse: parseAsset, options }),
    async upload(asset, options) {
      if (session.capabilities().assetTypes === "images" && !asset.contentType.startsWith("image/")) {
        throw imagesOnly(asset, session);
      }
      const body = encodeMultipart(partsOf(asset));
      return parse(await session.call(calls.assetUpload, { ...creation(options), body }));
    },
    async importFrom(source, options) {
      return parse(await session.call("assets.import", { ...creation(options), body: jsonBody(source) }));
    },
    async update(id, change, { signal } = {}) {
      return parse(await session.call("assets.patch", { parameters: [id], body: jsonBody(change), signal }));
    },
    async delete(id, { ifUsed, signal } = {}) {
      const query: Record<string, string> = ifUsed === "delete" ? { force: "true" } : {};
      await findOrUndefined(session.call("assets.delete", { parameters: [id], query, expects: "document", signal }));
    },
  };
}

function partsOf({ name, contentType, bytes, alt }: AssetInput): readonly Part[] {
  const file: Part = { kind: "file", name: "file", fileName: name, contentType, bytes };
  return alt === undefined ? [file] : [file, { kind: "field", name: "alt", text: alt }];
}

function imagesOnly({ name, contentType }: AssetInput, { baseUrl, routeSet }: Session): ImprintError {
  const set = routeSet.toUpperCase();
  const message = `${name} is no image (${contentType}), and the library of ${baseUrl} takes images only in route set ${set}.`;
  return new ImprintError("NOT_SUPPORTED", message, {
    hint: "Put the content into the page itself, host the file elsewhere, or use route set A if the service offers it.",
  });
}

import { ImprintError } from "../../base/error.ts";
import type { Asset, AssetInput, ImprintApi } from "../api.ts";
import { findExpiry, lastingAddress, probeSignature } from "../file-address.ts";
import { createUploader } from "../file-part.ts";
import { readFirst, readList } from "../listing.ts";
import { parseAsset, parseListedAsset } from "../records/records.ts";
import { isBareReply } from "../records/read-record.ts";
import type { Session } from "../session.ts";
import { jsonBody } from "../transport/body.ts";
import { collectIds, createCalls, creation, madeWithoutId } from "./calls.ts";
import { createUploadFinder } from "./find-uploaded.ts";

const LIST_NAMES = ["assets", "library", "files", "images"];

export function createAssets(session: Session, visit: ImprintApi["visit"]): ImprintApi["assets"] {
  const uploader = createUploader(session);
  const place = createPlacing(session, visit);
  const read: ImprintApi["assets"]["list"] = async ({ hash } = {}, options) => {
    const listing = await readList(session, {
      operation: "assets.list",
      filters: { hash },
      names: LIST_NAMES,
      parse: parseListedAsset,
      options,
    });
    const files = listing.items.filter((item) => item !== undefined);
    const items = files.flatMap(({ url, ...asset }) => (url === undefined ? [] : [place({ ...asset, url })]));
    const unaddressed = files.filter(({ url }) => url === undefined);
    return { ...listing, items: await Promise.all(items), unaddressed };
  };

  const { list, listed } = collectIds(read);
  const { findUploaded, awaitAddress, awaitServed } = createUploadFinder(session, { list: read, visit });

  return {
    list,
    awaitAddress,
    async newest(options) {
      const first = await readFirst(session, {
        operation: "assets.list",
        names: LIST_NAMES,
        parse: parseAsset,
        options,
      });
      return first && (await place(first));
    },
    async upload(asset, options) {
      if (session.capabilities().assetTypes === "images" && !asset.contentType.startsWith("image/")) {
        throw imagesOnly(asset, session);
      }
      const reply = await uploader.send(asset, ({ body, id }) =>
        session.call(session.routeSet === "a" ? "assets.upload" : "assets.uploadImages", {
          ...creation(options, id),
          body,
        }),
      );
      const stored = await place(await awaitServed(await findUploaded(reply, asset, options), options));
      return listed.has(stored.id) ? { ...stored, mayBeOther: true } : stored;
    },
    async importFrom(source, options) {
      const reply = await session.call("assets.import", { ...creation(options), body: jsonBody(source) });
      return await place(await awaitServed(await findUploaded(reply, { name: source.name }, options), options));
    },
    async update(id, change, { signal } = {}) {
      const reply = await session.call("assets.patch", { parameters: [id], body: jsonBody(change), signal });
      if (!isBareReply(reply.json)) return await place(parseAsset(reply.json, reply.context));
      const found = (await read({}, { signal })).items.find((asset) => asset.id === id);
      if (found === undefined) throw madeWithoutId(id, reply);
      return found;
    },
    delete(id, { ifUsed, signal } = {}) {
      const query: Record<string, string> = ifUsed === "delete" ? { force: "true" } : {};
      return createCalls(session).remove("assets.delete", { parameters: [id], query, signal });
    },
  };
}

/**
 * Gives files permanent addresses if the host serves them that way; the first address that expires triggers the check.
 */
function createPlacing(session: Session, visit: ImprintApi["visit"]) {
  let probing: Promise<void> | undefined;

  async function probe(address: string): Promise<void> {
    const fileAddresses = await probeSignature(address, { visit });
    if (fileAddresses !== undefined) session.learn({ fileAddresses }, undefined);
  }

  return async (asset: Asset): Promise<Asset> => {
    if (session.dialect().fileAddresses === undefined && findExpiry(asset.url) !== undefined) {
      await (probing ??= probe(asset.url));
    }
    const { fileAddresses } = session.dialect();
    return fileAddresses === "unsigned" ? { ...asset, url: lastingAddress(asset.url, { fileAddresses }) } : asset;
  };
}

function imagesOnly({ name, contentType }: AssetInput, { baseUrl, routeSet }: Session): ImprintError {
  const set = routeSet.toUpperCase();
  const message = `${name} isn't an image (${contentType}), and the library of ${baseUrl} accepts only images in route set ${set}.`;
  return new ImprintError("NOT_SUPPORTED", message, {
    hint: "Inline the content in the page, host the file elsewhere, or use route set A if the service offers it.",
  });
}

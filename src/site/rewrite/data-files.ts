import { readFileSync } from "node:fs";
import { join } from "node:path";
import { looksLikeAddress, replaceJsonStrings } from "../../html/address-texts.ts";
import { bytesDataAddress, renderPlaceholder, textDataAddress } from "../../html/placeholders.ts";
import { contentTypeOf, kindOf } from "../content-type.ts";
import type { SiteAsset } from "../model.ts";
import { readSiteText } from "../read-file.ts";
import type { RewriteTools } from "./text-context.ts";

/**
 * Maximum size of a file that is embedded in a page if the library doesn't accept it. Small enough not to slow a page
 * down.
 */
export const MAX_INLINE_BYTES = 64 * 1024;

/** Warns about a file that neither the library nor a page can hold. The plan explains why and what to do. */
export function describeKept(path: string) {
  return { code: "file-kept", message: `${path} is not published.`, target: `/${path}` } as const;
}

export interface PlacedData {
  /** A placeholder or a `data:` address. */
  readonly address: string;
  readonly assets: readonly SiteAsset[];
  /** Whether it is JSON that references pages of the site. */
  readonly namesPages: boolean;
}

export interface DataFiles {
  /** Returns where scripts read a file from, or `undefined` if it is too large to embed in a page. */
  place(path: string, usedIn: string): PlacedData | undefined;
}

/** Creates the files that scripts fetch: in the library, or as `data:` addresses. */
export function createDataFiles(tools: RewriteTools): DataFiles {
  const placed = new Map<string, PlacedData | undefined>();
  return {
    place(path, usedIn) {
      if (!placed.has(path)) placed.set(path, placeData(path, usedIn, tools));
      return placed.get(path);
    },
  };
}

function placeData(path: string, usedIn: string, tools: RewriteTools): PlacedData | undefined {
  const { site, settings } = tools;
  const isPutIn = settings.placement.files === "keep";
  if (isPutIn && (site.files.get(path)?.bytes ?? 0) > MAX_INLINE_BYTES) return undefined;
  const contentType = contentTypeOf(path);
  const { text, assets, namesPages } = readData(path, usedIn, tools);
  if (isPutIn) {
    const address =
      text === undefined
        ? bytesDataAddress(contentType, readFileSync(join(site.root, path)))
        : textDataAddress(contentType, text);
    return { address, assets, namesPages };
  }
  const asset =
    text === undefined
      ? tools.assets.fromFile(path, { usedIn, optimize: "same-type" })
      : tools.assets.fromText(text, { path, kind: "file", assets, usedIn });
  return { address: renderPlaceholder(asset.hash), assets: [{ ...asset, isFetched: true }, ...assets], namesPages };
}

interface DataText extends Omit<PlacedData, "address"> {
  /** The text with replaced addresses; `undefined`: the file is unchanged. */
  readonly text: string | undefined;
}

// Data of this size doesn't reference pictures for a script to show, and would use too much memory.
const MAX_JSON_BYTES = 4 * 1024 * 1024;

/**
 * Images referenced in JSON are placed in the library. Its pages are resolved by the route map, which knows their
 * original addresses.
 */
function readData(path: string, usedIn: string, { site, addresses, assets }: RewriteTools): DataText {
  const isText = contentTypeOf(path).endsWith("json") && (site.files.get(path)?.bytes ?? 0) <= MAX_JSON_BYTES;
  if (!isText) return { text: undefined, assets: [], namesPages: false };
  const json = readSiteText(site.root, path);
  const used: SiteAsset[] = [];
  let namesPages = false;
  const text = replaceJsonStrings(json, (value) => {
    if (value === "/" || !looksLikeAddress(value)) return undefined;
    const target = addresses.resolve(value, path);
    namesPages ||= target.kind === "page";
    if (target.kind !== "file" || kindOf(contentTypeOf(target.path)) !== "image") return undefined;
    const image = assets.fromFile(target.path, { usedIn, optimize: "same-type" });
    used.push(image);
    return renderPlaceholder(image.hash);
  });
  return { text: text === json ? undefined : text, assets: used, namesPages };
}

/** Whether files of a type are read by scripts rather than displayed. */
export function isData(contentType: string): boolean {
  return /^(?:application\/(?:[\w.+-]*json|[\w.+-]*xml|[\w.+-]*yaml|wasm)|text\/(?!css|javascript|vtt))/.test(
    contentType,
  );
}

import { lookup } from "mrmime";
import { onceEach } from "../base/once-each.ts";
import type { AssetKind, BuiltSite } from "./model.ts";

const KIND_OF_TYPE: readonly (readonly [RegExp, AssetKind])[] = [
  [/^image\//, "image"],
  [/^(?:font\/|application\/(?:vnd\.ms-fontobject|font|x-font))/, "font"],
  [/^text\/css$/, "style"],
  [/^(?:text|application)\/javascript$/, "script"],
];

const TYPE_OF_ENDING = new Map([
  ["js", "text/javascript"],
  ["mjs", "text/javascript"],
  ["ico", "image/x-icon"],
  ["dzi", "application/xml"],
  ["m3u8", "application/vnd.apple.mpegurl"],
  ["ndjson", "application/x-ndjson"],
  ["jsonl", "application/x-ndjson"],
  ["kml", "application/vnd.google-earth.kml+xml"],
]);

/** The content type of a file by its extension; `application/octet-stream` if unknown. */
export function contentTypeOf(path: string): string {
  const ending = path.slice(path.lastIndexOf(".") + 1).toLowerCase();
  const type = TYPE_OF_ENDING.get(ending) ?? lookup(ending) ?? "application/octet-stream";
  TYPE_OF_ENDING.set(ending, type);
  return type;
}

const KINDS = new Map<string, AssetKind>();

export function kindOf(contentType: string): AssetKind {
  const kind = KINDS.get(contentType) ?? KIND_OF_TYPE.find(([pattern]) => pattern.test(contentType))?.[1] ?? "file";
  KINDS.set(contentType, kind);
  return kind;
}

/** The paths of a site's images. */
export const listImages = onceEach(({ files }: BuiltSite) =>
  [...files.keys()].filter((path) => kindOf(contentTypeOf(path)) === "image"),
);

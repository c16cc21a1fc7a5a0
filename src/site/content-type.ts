import { lookup } from "mrmime";
import type { AssetKind } from "./model.ts";

const KIND_OF_TYPE: readonly (readonly [RegExp, AssetKind])[] = [
  [/^image\//, "image"],
  [/^(?:font\/|application\/(?:vnd\.ms-fontobject|font|x-font))/, "font"],
  [/^text\/css$/, "style"],
  [/^(?:text|application)\/javascript$/, "script"],
];

/** The content type of a file by its ending; `application/octet-stream` where the ending says nothing. */
export function contentTypeOf(path: string): string {
  if (/\.m?js$/i.test(path)) return "text/javascript";
  if (/\.ico$/i.test(path)) return "image/x-icon";
  return lookup(path.toLowerCase()) ?? "application/octet-stream";
}

export function kindOf(contentType: string): AssetKind {
  return KIND_OF_TYPE.find(([pattern]) => pattern.test(contentType))?.[1] ?? "file";
}

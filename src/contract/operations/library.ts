import * as z from "zod";
import { address, alt, bodyOf, flag, paging, tags, text } from "../inputs.ts";
import { assetRecord } from "../records.ts";
import { all, empty, many, one, type OperationRows } from "../route.ts";

export const assetUploadFields = bodyOf(assetRecord, {
  name: z.string().max(255).optional(),
  alt: alt.optional(),
  tags: tags.optional(),
});

export const assetPatchBody = bodyOf(assetRecord, {
  name: z.string().min(1).max(255).optional(),
  alt: alt.nullish(),
  tags: tags.optional(),
});

export const assetImportBody = bodyOf(assetRecord, {
  url: address.describe("Public http or https address to fetch."),
  name: z.string().max(255).optional(),
  alt: alt.optional(),
});

/** The library of images and files. */
export const LIBRARY_OPERATIONS = {
  "assets.list": {
    summary: "List library files",
    description: "Images and other files of the library, newest first.",
    scope: "library:read",
    query: z.strictObject({
      ...paging,
      q: text.describe("Text to search for in names."),
      type: text.describe("Content type, or its first part: image/png or image."),
      hash: text.describe("SHA-256 of the bytes in hexadecimal digits, to check whether a file exists."),
    }),
    answers: { 200: many(assetRecord) },
  },
  "assets.upload": {
    summary: "Upload a file",
    description:
      "If the library already has a file with these bytes, that file is returned instead of being stored twice.",
    scope: "library:write",
    body: { kind: "multipart", file: "file", schema: assetUploadFields },
    answers: { 200: one(assetRecord), 201: one(assetRecord) },
    problems: ["asset_too_large", "unsupported_asset_type", "image_unreadable", "image_too_many_pixels"],
  },
  "assets.uploadImages": {
    summary: "Upload images",
    description: "Stores all of them or none. Images that the library already has are not stored twice.",
    scope: "library:write",
    body: { kind: "multipart", file: "file", schema: assetUploadFields },
    answers: { 200: all(assetRecord), 201: all(assetRecord) },
    problems: ["asset_too_large", "unsupported_asset_type", "image_unreadable", "image_too_many_pixels"],
  },
  "assets.import": {
    summary: "Import a file from a URL",
    description: "Fetches a file from a public address into the library. The same bytes are never stored twice.",
    scope: "library:write",
    body: { kind: "json", schema: assetImportBody },
    answers: { 200: one(assetRecord), 201: one(assetRecord) },
    problems: ["import_refused", "import_failed", "asset_too_large", "unsupported_asset_type"],
  },
  "assets.patch": {
    summary: "Change a library file",
    description: "Changes name, alternative text or tags.",
    scope: "library:write",
    body: { kind: "json", schema: assetPatchBody },
    answers: { 200: one(assetRecord) },
    problems: ["asset_not_found"],
  },
  "assets.delete": {
    summary: "Delete a library file",
    description: "A file that is in use is kept unless `force` is true.",
    scope: "library:write",
    query: z.strictObject({
      force: flag.describe("Delete the file even if it is in use. Default: false."),
    }),
    answers: { 204: empty },
    problems: ["asset_not_found", "asset_in_use"],
  },
} as const satisfies OperationRows;

export type AssetUploadFields = z.infer<typeof assetUploadFields>;
export type AssetPatchBody = z.infer<typeof assetPatchBody>;
export type AssetImportBody = z.infer<typeof assetImportBody>;

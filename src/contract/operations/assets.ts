import * as z from "zod";
import { empty, json, many, one } from "../answers.ts";
import * as query from "../queries.ts";
import { assetRecord } from "../records.ts";
import * as body from "../requests.ts";
import type { Operation } from "../route.ts";

/** The library of images and files. */
export const ASSETS_OPERATIONS = {
  "assets.list": {
    scope: "library:read",
    query: query.assetsQuery,
    answers: { 200: many(assetRecord) },
    problems: [],
  },
  "assets.upload": {
    scope: "library:write",
    query: query.noQuery,
    body: { kind: "multipart", file: "file", schema: body.assetUploadFields },
    answers: { 200: one(assetRecord), 201: one(assetRecord) },
    problems: ["asset_too_large", "unsupported_asset_type", "image_unreadable", "image_too_many_pixels"],
  },
  "assets.uploadImages": {
    scope: "library:write",
    query: query.noQuery,
    body: { kind: "multipart", file: "file", schema: body.assetUploadFields },
    answers: {
      200: json(z.object({ data: z.array(assetRecord.minimum.loose()) })),
      201: json(z.object({ data: z.array(assetRecord.minimum.loose()) })),
    },
    problems: ["asset_too_large", "unsupported_asset_type", "image_unreadable", "image_too_many_pixels"],
  },
  "assets.import": {
    scope: "library:write",
    query: query.noQuery,
    body: { kind: "json", schema: body.assetImportBody },
    answers: { 200: one(assetRecord), 201: one(assetRecord) },
    problems: ["import_refused", "import_failed", "asset_too_large", "unsupported_asset_type"],
  },
  "assets.patch": {
    scope: "library:write",
    query: query.noQuery,
    body: { kind: "json", schema: body.assetPatchBody },
    answers: { 200: one(assetRecord) },
    problems: ["asset_not_found"],
  },
  "assets.delete": {
    scope: "library:write",
    query: query.assetDeleteQuery,
    answers: { 204: empty },
    problems: ["asset_not_found", "asset_in_use"],
  },
} as const satisfies Readonly<Record<string, Operation>>;

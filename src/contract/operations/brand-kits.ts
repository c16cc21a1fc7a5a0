import * as z from "zod";
import { empty, json, many, one } from "../answers.ts";
import * as query from "../queries.ts";
import { brandColorSchema, brandFontSchema, brandKitRecord, brandLogoSchema } from "../records.ts";
import * as body from "../requests.ts";
import type { Operation } from "../route.ts";

/** Brand kits: colors, fonts and logos. */
export const BRAND_KITS_OPERATIONS = {
  "brandKits.list": {
    scope: "brand:read",
    query: query.listQuery,
    answers: { 200: many(brandKitRecord) },
    problems: [],
  },
  "brandKits.create": {
    scope: "brand:write",
    query: query.noQuery,
    body: { kind: "json", schema: body.brandKitBody },
    answers: { 201: one(brandKitRecord) },
    problems: [],
  },
  "brandKits.extract": {
    scope: "brand:write",
    query: query.noQuery,
    body: { kind: "json", schema: body.brandKitExtractBody },
    answers: {
      200: json(
        z.looseObject({
          name: z.string(),
          colors: z.array(brandColorSchema),
          fonts: z.array(brandFontSchema),
          logos: z.array(brandLogoSchema),
        }),
      ),
      201: one(brandKitRecord),
    },
    problems: ["extract_refused", "extract_failed"],
  },
  "brandKits.get": {
    scope: "brand:read",
    query: query.noQuery,
    answers: { 200: one(brandKitRecord) },
    problems: ["kit_not_found"],
  },
  "brandKits.put": {
    scope: "brand:write",
    query: query.noQuery,
    body: { kind: "json", schema: body.brandKitBody },
    answers: { 200: one(brandKitRecord) },
    problems: ["kit_not_found", "version_mismatch"],
  },
  "brandKits.delete": {
    scope: "brand:write",
    query: query.noQuery,
    answers: { 204: empty },
    problems: ["kit_not_found"],
  },
} as const satisfies Readonly<Record<string, Operation>>;

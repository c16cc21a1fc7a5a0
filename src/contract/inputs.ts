import * as z from "zod";
import type { RecordContract } from "./fields.ts";
import { LIMITS } from "./limits.ts";

/** A body whose fields mean what the fields of a record mean; what has a meaning of its own keeps it. */
export function bodyOf<Shape extends z.ZodRawShape>({ full }: RecordContract, fields: Shape) {
  const described = Object.entries(fields).map(([name, schema]) => {
    const meaning = z.globalRegistry.get(schema) ?? z.globalRegistry.get(full.shape[name] ?? schema);
    return [name, meaning === undefined ? schema : (schema as z.ZodType).meta(meaning)];
  });
  return z.object(Object.fromEntries(described) as Shape);
}

// Slugs are checked by the rule in `service/resources`, which responds `invalid_slug` with the offending value; here
// they are only texts, so that this problem differs from a body that is wrong otherwise.
export const slug = z.string().min(1).max(500);
export const title = z.string().max(LIMITS.maxTitleLength);
export const name = z.string().trim().min(1).max(LIMITS.maxTitleLength);
export const alt = z.string().max(1000);
export const tags = z.array(z.string().trim().min(1).max(60)).max(LIMITS.maxTagsPerPost);
export const address = z.string().max(2048);
/** An address that pages and mails show to readers: of the web or a picture's own bytes, never a script. */
export const shownAddress = address.regex(
  /^(?:https?:|data:image\/|[^:/?#]*(?:[/?#]|$))/i,
  "is an http or https address, or one of this service",
);
export const moment = z.union([z.iso.datetime({ offset: true }), z.iso.date()]).optional();

// Query fields arrive as text. Unknown fields are refused, so that a misspelled filter never lists everything.
export const text = z.string().max(500).optional();
export const flag = z
  .enum(["true", "false"])
  .transform((value) => value === "true")
  .optional();
export const ofSite = text.describe("Only those of this site, by its ID.");
export const paging = {
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(LIMITS.maxListLimit)
    .optional()
    .describe("Number of records, 1 to 100. Default: 50."),
  cursor: text.describe("`nextCursor` of the previous response."),
};
export const listQuery = z.strictObject(paging);

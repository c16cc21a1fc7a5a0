import * as z from "zod";
import type { RecordContract } from "./fields.ts";
import { LIMITS } from "./limits.ts";

/** Creates a body whose fields get the titles and descriptions of a record's fields, unless they have their own. */
export function bodyOf<Shape extends z.ZodRawShape>({ full }: RecordContract, fields: Shape) {
  const described = Object.entries(fields).map(([name, schema]) => {
    const meaning = z.globalRegistry.get(schema) ?? z.globalRegistry.get(full.shape[name] ?? schema);
    return [name, meaning === undefined ? schema : (schema as z.ZodType).meta(meaning)];
  });
  return z.object(Object.fromEntries(described) as Shape);
}

// Slugs are validated by the rule in `service/resources`, which responds `invalid_slug` with the offending value. Here
// they are only text, so that this problem differs from other problems of a body.
export const slug = z.string().min(1).max(500);
export const title = z.string().max(LIMITS.maxTitleLength);
export const name = z.string().trim().min(1).max(LIMITS.maxTitleLength);
export const alt = z.string().max(1000);
export const tags = z.array(z.string().trim().min(1).max(60)).max(LIMITS.maxTagsPerPost);
export const address = z.string().max(2048);
/** An address that pages and mails show to readers: a web address or an image's data URL, never a script. */
export const shownAddress = address.regex(
  /^(?:https?:|data:image\/|[^:/?#]*(?:[/?#]|$))/i,
  "must be an http or https address, or one of this service",
);
export const moment = z.union([z.iso.datetime({ offset: true }), z.iso.date()]).optional();

// Query fields arrive as text. Unknown fields are rejected, so that a misspelled filter never lists everything.
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

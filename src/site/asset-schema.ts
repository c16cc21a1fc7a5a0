import * as z from "zod";
import type { SiteAsset } from "./model.ts";

/** An asset as caches keep it. */
export const assetSchema: z.ZodType<SiteAsset> = z.object({
  hash: z.string(),
  name: z.string(),
  contentType: z.string(),
  kind: z.enum(["image", "font", "style", "script", "file"]),
  source: z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("file"), path: z.string(), bytes: z.number() }),
    z.object({ kind: z.literal("text"), text: z.string(), assets: z.array(z.string()) }),
  ]),
  optimize: z.enum(["never", "same-type", "any-type"]),
  alt: z.string().exactOptional(),
  usedIn: z.string(),
});

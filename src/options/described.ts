import type * as z from "zod";

/** What the generated documentation says about one option beside its rule. */
export interface OptionMeta {
  readonly description: string;
  /** TypeScript type as an author writes it, where it has a name. Default: what the schema says. */
  readonly type?: string;
  /** Default in words. Default: what the schema says. */
  readonly default?: string;
}

export function described<Schema extends z.ZodType>(schema: Schema, meta: string | OptionMeta) {
  return typeof meta === "string" ? schema.describe(meta) : schema.meta({ ...meta });
}

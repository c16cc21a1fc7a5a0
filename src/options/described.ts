import type * as z from "zod";

/** Documentation of one option, in addition to its schema. */
export interface OptionMeta {
  readonly description: string;
  /** TypeScript type as an author writes it. Default: derived from the schema. */
  readonly type?: string;
  /** Description of the default. Default: derived from the schema. */
  readonly default?: string;
}

export function described<Schema extends z.ZodType>(schema: Schema, meta: string | OptionMeta) {
  return typeof meta === "string" ? schema.describe(meta) : schema.meta({ ...meta });
}

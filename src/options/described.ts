import type * as z from "zod";

/** What the generated documentation says about one option beside its rule. */
export interface OptionMeta {
  readonly description: string;
  /** TypeScript type as an author writes it. */
  readonly type: string;
  /** Default in words or as code; absent: the option has none. */
  readonly default?: string;
}

export function described<Schema extends z.ZodType>(schema: Schema, meta: OptionMeta) {
  return schema.meta({ ...meta });
}

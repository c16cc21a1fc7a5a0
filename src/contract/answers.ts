import * as z from "zod";
import type { Answer } from "./route.ts";
import type { RecordContract } from "./fields.ts";

export const empty = { kind: "empty" } as const satisfies Answer;

export function one(record: RecordContract): Answer {
  return { kind: "record", record };
}

export function many(record: RecordContract): Answer {
  return { kind: "list", record };
}

export function json(schema: z.ZodType): Answer {
  return { kind: "json", schema };
}

export function documentOf(contentType: string): Answer {
  return { kind: "document", contentType };
}

/** The frame of every list: `nextCursor` is `null` on the last page. */
export function listOf<Item extends z.ZodType>(item: Item) {
  return z.object({ data: z.array(item), nextCursor: z.string().nullable() });
}

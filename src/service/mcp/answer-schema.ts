import * as z from "zod";
import { listOf } from "../../contract/answers.ts";
import type { Answer, Operation } from "../../contract/route.ts";
import { toJsonSchema, type JsonObject } from "./json-schema.ts";
import type { ToolOperation } from "./tool-words.ts";

/** The schema of a tool's data: that of the operation's answer, when all its answers have one form. */
export function answerSchemaOf(operation: ToolOperation, { answers }: Operation): JsonObject | undefined {
  const schemas = [...new Set(Object.values(answers).map(schemaOf))];
  const [schema] = schemas;
  if (schema === undefined || schemas.length > 1) return undefined;
  return toJsonSchema(operation === "pages.get" ? withHtmlPart(schema) : schema, "output");
}

// Lists are made anew for each answer, so that one that is asked for twice has to be the same object.
const lists = new WeakMap<z.ZodType, z.ZodType>();

function schemaOf(answer: Answer): z.ZodType | undefined {
  if (answer.kind === "record") return answer.record.full;
  if (answer.kind === "json") return answer.schema;
  if (answer.kind !== "list") return undefined;
  const list = lists.get(answer.record.full) ?? listOf(answer.record.full);
  lists.set(answer.record.full, list);
  return list;
}

function withHtmlPart(schema: z.ZodType): z.ZodType {
  return schema instanceof z.ZodObject
    ? schema.extend({ nextHtmlOffset: z.int().nonnegative().nullable().optional() })
    : schema;
}

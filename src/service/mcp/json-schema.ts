import * as z from "zod";

export type JsonObject = Readonly<Record<string, unknown>>;

/**
 * A zod schema as JSON Schema, short enough to be read by a model: without the regular expressions that a format
 * stands for, and with flags as booleans, which in an address are the texts "true" and "false".
 */
export function toJsonSchema(schema: z.core.$ZodType, io: "input" | "output"): JsonObject {
  // What JSON Schema can't say (a transform, a refinement) is left to the service, which refuses it with a pointer.
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: "any" });
  return shorten(rest, io);
}

function shorten(node: object, io: "input" | "output"): JsonObject {
  if ("enum" in node && Array.isArray(node.enum) && node.enum.join() === "true,false") return { type: "boolean" };
  const fields = Object.entries(node).filter(([name, value]) => !isNoise(name, value, { io, node }));
  if ("type" in node && Array.isArray(node.type)) return splitTypes(node.type, Object.fromEntries(fields));
  return Object.fromEntries(fields.map(([name, value]) => [name, shortenValue(value, io)]));
}

/** Not every model provider takes a list of types, but all take a choice between schemas. */
function splitTypes(types: readonly unknown[], node: JsonObject): JsonObject {
  return { anyOf: types.map((type) => (type === "null" ? { type } : { ...node, type })) };
}

function isNoise(
  name: string,
  value: unknown,
  { io, node }: { readonly io: "input" | "output"; readonly node: object },
): boolean {
  if (value === Number.MAX_SAFE_INTEGER) return true;
  // The contract's labels are for people, and its descriptions would make every tool's answer a page to read.
  if (typeof value === "string" && (name === "title" || (name === "description" && io === "output"))) return true;
  // A client that keeps the schema for a while must take what a newer service tells beside it.
  return name === "pattern" ? "format" in node : io === "output" && name === "additionalProperties" && value === false;
}

function shortenValue(value: unknown, io: "input" | "output"): unknown {
  if (Array.isArray(value)) return value.map((each) => shortenValue(each, io));
  return typeof value === "object" && value !== null ? shorten(value, io) : value;
}

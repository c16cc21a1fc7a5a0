import * as z from "zod";
import { listOf, type Method, type Operation } from "../../contract/route.ts";
import { operationOf, EXTENSION_ROUTES, ROUTES_A, ROUTES_B } from "../../contract/operations.ts";
import type { Scope } from "../../contract/scopes.ts";
import { TOOL_WORDS, type ToolOperation, type ToolWords } from "./tool-words.ts";

export type JsonObject = Readonly<Record<string, unknown>>;

/** Where an argument goes: into the path, the query, the body, or the rules around the call. */
export type ArgumentPlace = "path" | "query" | "body" | "rule";

/** One operation of the contract as a tool. */
export interface Tool {
  readonly name: string;
  readonly operation: ToolOperation;
  readonly method: Method;
  readonly contract: Operation;
  /** Every tool needs exactly one scope. */
  readonly scope: Scope;
  readonly title: string;
  readonly description: string;
  /** Names of the path's parameters, in their order. */
  readonly parameters: readonly string[];
  readonly places: ReadonlyMap<string, ArgumentPlace>;
  readonly inputSchema: JsonObject;
  /** `undefined` where the tool answers without data, or with data of more than one form. */
  readonly outputSchema: JsonObject | undefined;
  readonly annotations: {
    readonly title: string;
    readonly readOnlyHint: boolean;
    readonly destructiveHint: boolean;
    readonly idempotentHint: boolean;
    readonly openWorldHint: boolean;
  };
}

/** All tools, made of the contract's table. */
export function createTools(): readonly Tool[] {
  return Object.keys(TOOL_WORDS).filter(isToolOperation).map(createTool);
}

function isToolOperation(name: string): name is ToolOperation {
  return Object.hasOwn(TOOL_WORDS, name);
}

function createTool(operation: ToolOperation): Tool {
  const words: ToolWords = TOOL_WORDS[operation];
  const contract = operationOf(operation);
  const { method, path } = findRow(operation);
  const { scope } = contract;
  if (scope === undefined) throw new Error(`${operation} needs no scope, so it can't be a tool.`);
  const parameters = words.parameters ?? Array.from(path.matchAll(/:([A-Za-z]+)/g), ([, name = ""]) => name);
  const places = new Map<string, ArgumentPlace>();
  const shape: Record<string, z.core.$ZodType> = {};
  for (const [place, fields] of fieldsOf(operation, { method, contract, parameters })) {
    for (const [name, schema] of Object.entries(fields)) {
      if (words.leftOut?.includes(name) === true) continue;
      if (places.has(name)) throw new Error(`${operation} has two arguments "${name}".`);
      places.set(name, place);
      shape[name] = schema;
    }
  }
  return {
    name: toolName(operation),
    operation,
    method,
    contract,
    scope,
    parameters,
    places,
    title: words.title,
    description: words.description,
    inputSchema: toJsonSchema(z.strictObject(shape), "input"),
    outputSchema: answerSchemaOf(operation, contract),
    annotations: {
      title: words.title,
      readOnlyHint: method === "GET",
      destructiveHint: method !== "GET" && method !== "POST",
      idempotentHint: method !== "POST",
      openWorldHint: words.isOpenWorld ?? false,
    },
  };
}

/** `brandKits.extract` → `brand_kits_extract`: only what the narrowest client takes in a name. */
function toolName(operation: string): string {
  return operation.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`).replace(".", "_");
}

function findRow(operation: ToolOperation) {
  const row = [...ROUTES_A, ...ROUTES_B, ...EXTENSION_ROUTES].find((each) => each.operation === operation);
  if (row === undefined) throw new Error(`No route set lists ${operation}.`);
  return row;
}

function fieldsOf(
  operation: ToolOperation,
  { method, contract, parameters }: Pick<Tool, "method" | "contract" | "parameters">,
): readonly (readonly [ArgumentPlace, Readonly<Record<string, z.core.$ZodType>>])[] {
  const body = contract.body?.schema;
  const { ifVersion, ifAbsent, idempotencyKey, htmlOffset } = rulesSchema.shape;
  return [
    ["path", Object.fromEntries(parameters.map((name) => [name, parameterSchema(name)]))],
    ["body", body instanceof z.ZodObject ? body.shape : {}],
    ["query", contract.query.shape],
    [
      "rule",
      {
        ...(contract.problems.includes("version_mismatch") && { ifVersion }),
        ...(contract.problems.includes("already_exists") && { ifAbsent }),
        ...(method === "POST" && { idempotencyKey }),
        ...(operation === "pages.get" && { htmlOffset }),
      },
    ],
  ];
}

function parameterSchema(name: string): z.ZodType {
  return z
    .string()
    .min(1)
    .max(500)
    .describe(PARAMETER_WORDS[name] ?? "");
}

const PARAMETER_WORDS: Readonly<Record<string, string>> = {
  assetId: "ID of the library file, from assets_list.",
  blogId: "ID or slug of the blog.",
  domain: "Domain name, such as www.example.org, or its ID.",
  id: "ID of the release, from releases_list.",
  kitId: "ID of the brand kit, from brand_kits_list.",
  page: "Slug or ID of the page.",
  pageSlug: "Slug of the page.",
  siteId: "ID of the site, from sites_list.",
  slug: "Name in the address: lowercase letters, digits and hyphens.",
  submissionId: "ID of the submission, from submissions_list.",
};

/** What a route takes as headers, a tool takes as arguments. */
export const rulesSchema = z.object({
  ifVersion: z
    .int()
    .positive()
    .optional()
    .describe("Change the record only if it still has this `version`; refused if somebody changed it since."),
  ifAbsent: z.boolean().optional().describe("Only create: refused if there is one already."),
  idempotencyKey: z
    .string()
    .regex(/^[\x21-\x7e]{1,255}$/, "takes 1 to 255 visible ASCII characters")
    .optional()
    .describe("Any text that you make up for this call. Repeating the call with it returns the first answer again."),
  htmlOffset: z.int().nonnegative().optional().describe("Where the HTML begins, in characters. Default: 0."),
});

/** The schema of a tool's data: that of the operation's answer, when all its answers have one form. */
function answerSchemaOf(operation: ToolOperation, { answers }: Operation): JsonObject | undefined {
  const schemas = [...new Set(Object.values(answers).map(schemaOf))];
  const [schema] = schemas;
  if (schema === undefined || schemas.length > 1) return undefined;
  return toJsonSchema(operation === "pages.get" ? withHtmlPart(schema) : schema, "output");
}

// Lists are made anew for each answer, so that one that is asked for twice has to be the same object.
const lists = new WeakMap<z.ZodType, z.ZodType>();

function schemaOf(answer: Operation["answers"][number]): z.ZodType | undefined {
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

/**
 * A zod schema as JSON Schema, short enough to be read by a model: without the regular expressions that a format
 * stands for, and with flags as booleans, which in an address are the texts "true" and "false".
 */
function toJsonSchema(schema: z.core.$ZodType, io: "input" | "output"): JsonObject {
  // What JSON Schema can't say (a transform, a refinement) is left to the service, which refuses it with a pointer.
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: "any" });
  return shorten(rest, io);
}

function shorten(node: object, io: "input" | "output"): JsonObject {
  if ("enum" in node && Array.isArray(node.enum) && node.enum.join() === "true,false") {
    return { type: "boolean", ...("description" in node && { description: node.description }) };
  }
  const fields = Object.entries(node).filter(([name, value]) => !isNoise(name, value, { io, node }));
  if ("type" in node && Array.isArray(node.type)) return splitTypes(node.type, Object.fromEntries(fields));
  return Object.fromEntries(fields.map(([name, value]) => [name, shortenValue(value, io)]));
}

/** Not every model provider takes a list of types, but all take a choice between schemas. */
function splitTypes(types: readonly unknown[], { description, ...node }: JsonObject): JsonObject {
  const anyOf = types.map((type) => (type === "null" ? { type } : { ...node, type }));
  return { anyOf, ...(description !== undefined && { description }) };
}

function isNoise(
  name: string,
  value: unknown,
  { io, node }: { readonly io: "input" | "output"; readonly node: object },
): boolean {
  if (value === Number.MAX_SAFE_INTEGER) return true;
  // The contract's labels are for people, and its descriptions would make every tool's answer a page to read.
  if (typeof value === "string" && (name === "title" || (name === "description" && io === "output"))) return true;
  // A client that keeps the schema for a while must take what a newer service returns beside it.
  return name === "pattern" ? "format" in node : io === "output" && name === "additionalProperties" && value === false;
}

function shortenValue(value: unknown, io: "input" | "output"): unknown {
  if (Array.isArray(value)) return value.map((each) => shortenValue(each, io));
  return typeof value === "object" && value !== null ? shorten(value, io) : value;
}

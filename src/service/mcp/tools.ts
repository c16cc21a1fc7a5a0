import * as z from "zod";
import { describePathParameter } from "../../contract/path-parameters.ts";
import type { Method, Operation } from "../../contract/route.ts";
import { operationOf } from "../../contract/operations.ts";
import { EXTENSION_ROUTES, ROUTES_A, ROUTES_B } from "../../contract/routes.ts";
import type { Scope } from "../../contract/scopes.ts";
import { TOOL_WORDS, type ToolOperation, type ToolWords } from "./tool-words.ts";

export type JsonObject = Readonly<Record<string, unknown>>;

/** Where an argument goes: into the path, the query, the body, or the rules around the call. */
export type ArgumentPlace = "path" | "query" | "body" | "rule";

/** An operation of the contract as a tool. */
export interface Tool {
  readonly name: string;
  readonly operation: ToolOperation;
  readonly method: Method;
  readonly contract: Operation;
  /** Every tool requires exactly one scope. */
  readonly scope: Scope;
  readonly title: string;
  readonly description: string;
  /** Names of the path parameters in order. */
  readonly parameters: readonly string[];
  readonly places: ReadonlyMap<string, ArgumentPlace>;
  readonly inputSchema: JsonObject;
  readonly annotations: {
    readonly readOnlyHint: boolean;
    readonly destructiveHint: boolean;
    readonly idempotentHint: boolean;
    readonly openWorldHint: boolean;
  };
}

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
  if (scope === undefined) throw new Error(`${operation} requires no scope, so it can't be a tool.`);
  const parameters = words.parameters ?? Array.from(path.matchAll(/:([A-Za-z]+)/g), ([, name = ""]) => name);
  const places = new Map<string, ArgumentPlace>();
  const shape: Record<string, z.core.$ZodType> = {};
  for (const [place, fields] of fieldsOf(operation, { method, contract, parameters })) {
    for (const [name, schema] of Object.entries(fields)) {
      if (words.leftOut?.includes(name) === true) continue;
      if (places.has(name)) throw new Error(`${operation} has two arguments "${name}".`);
      places.set(name, place);
      shape[name] = words.asReturned?.includes(name) === true ? AS_RETURNED : schema;
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
    title: contract.summary,
    description: words.description ?? contract.description ?? contract.summary,
    inputSchema: toInputSchema(z.object(shape), method),
    annotations: {
      readOnlyHint: method === "GET",
      destructiveHint: method !== "GET" && method !== "POST",
      idempotentHint: method !== "POST",
      openWorldHint: words.isOpenWorld ?? false,
    },
  };
}

const AS_RETURNED = z.record(z.string(), z.unknown()).nullish().describe("As returned.");

/** `brandKits.extract` → `brand_kits_extract`: only characters that the strictest client accepts. */
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
  const { ifVersion, ifAbsent, idempotencyKey, data, ...reading } = rulesSchema.shape;
  return [
    ["path", Object.fromEntries(parameters.map((name) => [name, parameterSchema(operation, name)]))],
    ["body", body instanceof z.ZodObject ? body.shape : {}],
    ["query", contract.query.shape],
    [
      "rule",
      {
        ...(acceptsFile(contract) && { data: data.unwrap() }),
        ...(operation === "pages.get" && reading),
        ...(contract.problems.includes("version_mismatch") && { ifVersion }),
        ...(contract.problems.includes("already_exists") && { ifAbsent }),
        ...(method === "POST" && { idempotencyKey }),
      },
    ],
  ];
}

export function acceptsFile({ body }: Operation): boolean {
  return body?.kind === "multipart";
}

function parameterSchema(operation: ToolOperation, name: string): z.ZodType {
  return z.string().min(1).describe(describePathParameter(operation, name).description);
}

/** Arguments for what a route takes as headers or file, and for reading parts of a page. */
export const rulesSchema = z.object({
  ifVersion: z.int().positive().optional().describe("Reject if `version` has changed."),
  ifAbsent: z.boolean().optional().describe("Reject if it already exists."),
  idempotencyKey: z
    .string()
    .regex(/^[\x21-\x7e]{1,255}$/, "must be 1 to 255 visible ASCII characters")
    .optional()
    .describe("Calls with the same key run once."),
  data: z.string().min(1).describe("The bytes in base64.").optional(),
  find: z.string().min(1).optional().describe("Text to search for in the HTML."),
  around: z.int().min(0).max(5000).optional().describe("Characters shown around each place. Default: 120."),
  htmlOffset: z.int().nonnegative().optional().describe("Where the HTML starts, in characters. Default: 0."),
});

/**
 * Converts a tool's arguments to a JSON Schema short enough for a model: names, types, choices and one sentence each.
 * The service itself checks lengths and patterns, and returns pointers to errors.
 */
function toInputSchema(schema: z.core.$ZodType, method: Method): JsonObject {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  return shorten(rest, { withNull: method === "PATCH" || method === "PUT" });
}

interface Shortening {
  /** Null is meaningful: it removes the current value. */
  readonly withNull: boolean;
}

const KEPT = ["type", "enum", "properties", "required", "items"];

function shorten(node: object, options: Shortening): JsonObject {
  const { description, anyOf, type, enum: choices, const: only } = Object.assign({}, node) as JsonObject;
  const words = typeof description === "string" ? description : "";
  const sentence = firstSentence(words);
  const said = describesMore(words) && sentence.length >= MIN_LENGTH ? { description: sentence } : {};
  if (Array.isArray(choices) && choices.join() === "true,false") return { type: "boolean", ...said };
  if (only !== undefined) return { type: typeof only, ...said };
  const types: unknown = Array.isArray(type) ? type.map((each: unknown) => ({ ...node, type: each })) : anyOf;
  if (Array.isArray(types)) {
    const withNull = options.withNull && /\bnull\b/.test(words);
    return { ...chooseType(types, { withNull }), ...said };
  }
  const kept = Object.entries(node).filter(([name]) => KEPT.includes(name));
  return { ...Object.fromEntries(kept.map(([name, value]) => [name, shortenValue(name, value, options)])), ...said };
}

// Not every model provider supports a list of types, but all support a choice of schemas.
function chooseType(variants: readonly object[], options: Shortening): JsonObject {
  const short = variants.map((variant) => shorten({ ...variant, description: "" }, options));
  const distinct = [...new Map(short.map((variant) => [JSON.stringify(variant), variant])).values()];
  const wanted = distinct.filter(({ type }) => options.withNull || type !== "null");
  return wanted.length === 1 ? { ...wanted[0] } : { anyOf: wanted };
}

function shortenValue(name: string, value: unknown, options: Shortening): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  if (name === "items") return shorten(withoutOptional(value), options);
  if (name !== "properties") return shorten(value, options);
  const fields = Object.entries(value).map(([field, schema]): [string, JsonObject] => {
    const described: object = Object(schema);
    return [field, shorten(IN_INSTRUCTIONS.has(field) ? { ...described, description: "" } : described, options)];
  });
  return Object.fromEntries(fields);
}

// Omits nullable fields of list entries, such as font weights, which programs fill in.
function withoutOptional(item: object): object {
  const { properties } = Object.assign({}, item) as JsonObject;
  const isNullable = (field: unknown) => JSON.stringify(field).includes('{"type":"null"}');
  const kept = Object.entries(Object(properties)).filter(([, field]) => !isNullable(field));
  return properties === undefined ? item : { ...item, properties: Object.fromEntries(kept) };
}

/** Arguments with the same meaning in every tool, which the server's instructions explain once. */
const IN_INSTRUCTIONS = new Set(["limit", "cursor", "ifVersion", "idempotencyKey"]);

const MAX_LABEL = 44;

/** A shorter sentence only repeats the argument's name: "Body in Markdown." */
const MIN_LENGTH = 20;

/** Whether a description adds to the argument's name, unlike "Title of the post." */
function describesMore(description: string): boolean {
  return description.length > MAX_LABEL || /[;`]|Default/.test(description);
}

/** Returns the first sentence of a description, and its default unless that goes without saying. */
function firstSentence(text: string): string {
  const sentences = text.split(/(?<=\.) (?=[A-Z`])/);
  const isDefault = (sentence: string) => sentence.startsWith("Default") && sentence !== "Default: false.";
  return sentences.filter((sentence, index) => index === 0 || isDefault(sentence)).join(" ");
}

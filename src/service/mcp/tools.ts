import * as z from "zod";
import { OPERATIONS } from "../../contract/operations.ts";
import { EXTENSION_ROUTES, ROUTES_A, ROUTES_B } from "../../contract/route-sets.ts";
import type { Method, Operation, Row } from "../../contract/route.ts";
import type { Scope } from "../../contract/scopes.ts";
import { ARGUMENT_WORDS } from "./argument-words.ts";
import { answerSchemaOf } from "./answer-schema.ts";
import { toJsonSchema, type JsonObject } from "./json-schema.ts";
import { TOOL_WORDS, type ToolOperation, type ToolWords } from "./tool-words.ts";

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
  const contract: Operation = OPERATIONS[operation];
  const { method, path } = findRow(operation);
  const { scope } = contract;
  if (scope === undefined) throw new Error(`${operation} needs no scope, so it can't be a tool.`);
  const parameters = words.parameters ?? Array.from(path.matchAll(/:([A-Za-z]+)/g), ([, name = ""]) => name);
  const input = { operation, method, contract, parameters, leftOut: words.leftOut ?? [] };
  const { places, schema } = describeInput(input);
  return {
    name: toolName(operation),
    ...{ operation, method, contract, scope, parameters, places },
    title: words.title,
    description: words.description,
    inputSchema: schema,
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

function findRow(operation: ToolOperation): Row {
  const rows: readonly Row[] = [...ROUTES_A, ...ROUTES_B, ...EXTENSION_ROUTES];
  const row = rows.find((each) => each.operation === operation);
  if (row === undefined) throw new Error(`No route set lists ${operation}.`);
  return row;
}

interface InputOptions {
  readonly operation: ToolOperation;
  readonly method: Method;
  readonly contract: Operation;
  readonly parameters: readonly string[];
  readonly leftOut: readonly string[];
}

function describeInput(options: InputOptions): {
  readonly places: ReadonlyMap<string, ArgumentPlace>;
  readonly schema: JsonObject;
} {
  const { contract, parameters, leftOut } = options;
  const body = contract.body?.schema;
  const groups: readonly (readonly [ArgumentPlace, Readonly<Record<string, z.core.$ZodType>>])[] = [
    ["path", Object.fromEntries(parameters.map((name) => [name, z.string().min(1).max(500)]))],
    ["body", body instanceof z.ZodObject ? body.shape : {}],
    ["query", contract.query.shape],
    ["rule", rulesOf(options)],
  ];
  const places = new Map<string, ArgumentPlace>();
  const shape: Record<string, z.core.$ZodType> = {};
  for (const [place, fields] of groups) {
    for (const [name, schema] of Object.entries(fields)) {
      if (leftOut.includes(name)) continue;
      if (places.has(name)) throw new Error(`${options.operation} has two arguments "${name}".`);
      places.set(name, place);
      shape[name] = schema;
    }
  }
  return { places, schema: withWords(toJsonSchema(z.strictObject(shape), "input")) };
}

/** What a route takes as headers, a tool takes as arguments. */
function rulesOf({ operation, method, contract }: InputOptions): Readonly<Record<string, z.ZodType>> {
  const { problems } = contract;
  return {
    ...(problems.includes("version_mismatch") && { ifVersion: z.int().positive().optional() }),
    ...(problems.includes("already_exists") && { ifAbsent: z.boolean().optional() }),
    ...(method === "POST" && {
      idempotencyKey: z
        .string()
        .regex(/^[\x21-\x7e]{1,255}$/)
        .optional(),
    }),
    ...(operation === "pages.get" && { htmlOffset: z.int().nonnegative().optional() }),
  };
}

function withWords(schema: JsonObject): JsonObject {
  const properties = Object.entries(Object(schema["properties"]) as JsonObject).map(([name, property]) => [
    name,
    { ...Object(property), description: ARGUMENT_WORDS[name] },
  ]);
  return { ...schema, properties: Object.fromEntries(properties) };
}

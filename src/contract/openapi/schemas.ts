import * as z from "zod";
import { problemSchema } from "../problems.ts";
import { listOf, type Body, type ResponseShape, type Route } from "../route.ts";
import { MAX_SLUG_LENGTH, SLUG_PATTERN } from "../slug.ts";
import examples from "./examples.json" with { type: "json" };

const EXAMPLES: Readonly<Record<string, unknown>> = examples;

export type Json = Readonly<Record<string, unknown>>;

/** The named schemas of a document, and references to them. */
export interface Schemas {
  /** By name, such as `Page`, `PageList` and `PagePutBody`. */
  readonly components: Readonly<Record<string, Json>>;
  bodyOf(body: Body, encoding: "json" | "multipart"): Json;
  /** `undefined` for a response without JSON. */
  responseOf(answer: OperationResponse): Json | undefined;
}

export interface OperationResponse {
  readonly operation: string;
  readonly status: string;
  readonly shape: ResponseShape;
}

/** Names every schema of requests and responses. A schema of several operations has the name of the first. */
export function createSchemas(routes: readonly Route[]): Schemas {
  const inputs = z.registry<{ id: string }>();
  const outputs = z.registry<{ id: string }>();
  outputs.add(problemSchema, { id: "Problem" });
  for (const { operation, body, answers } of routes) {
    if (body !== undefined && body.kind !== "bundle") addOnce(inputs, `${titleOf(operation)}Body`, body.schema);
    for (const [status, shape] of Object.entries(answers)) addResponse(outputs, { operation, status, shape });
  }
  const bodies = convert(inputs, "input");
  const nameOf = (body: Body) => inputs.get(body.schema)?.id ?? "";
  const taken = routes.flatMap(({ body }) => (body === undefined || body.kind === "bundle" ? [] : [body]));
  const jsonBodies = taken
    .filter(({ kind }) => kind !== "multipart")
    .map((body) => [nameOf(body), bodies[nameOf(body)]]);
  const forms = taken.flatMap((body) =>
    "file" in body ? [[formName(nameOf(body)), withFile(bodies[nameOf(body)] ?? {}, body.file)]] : [],
  );
  return {
    components: { ...convert(outputs, "output"), ...Object.fromEntries([...jsonBodies, ...forms]) },
    bodyOf: (body, encoding) => refer(encoding === "json" ? nameOf(body) : formName(nameOf(body))),
    responseOf(answer) {
      const name = nameOfShape(answer);
      return name === undefined ? undefined : refer(name);
    },
  };
}

type Names = z.core.$ZodRegistry<{ id: string }>;

function addOnce(names: Names, id: string, schema: z.ZodType): void {
  if (!names.has(schema) && !names._idmap.has(id)) names.add(schema, { id });
}

function addResponse(outputs: Names, { operation, status, shape }: OperationResponse): void {
  const name = nameOfShape({ operation, status, shape });
  if (name === undefined) return;
  if (shape.kind === "json") return addOnce(outputs, name, shape.schema);
  const record = shape.kind === "document" ? shape.json : shape.kind === "empty" ? undefined : shape.record;
  if (record === undefined) return;
  addOnce(outputs, record.label, record.full);
  if (name !== record.label) addOnce(outputs, name, shape.kind === "list" ? listOf(record.full) : dataOf(record.full));
}

function dataOf(record: z.ZodType) {
  return z.object({ data: z.array(record) });
}

function nameOfShape({ operation, status, shape }: OperationResponse): string | undefined {
  switch (shape.kind) {
    case "record":
      return shape.record.label;
    case "list":
      return `${shape.record.label}List`;
    case "all":
      return `All${shape.record.label}s`;
    case "json":
      return status < "400" ? `${titleOf(operation)}Response` : `${titleOf(operation)}Error`;
    case "document":
      return shape.json === undefined ? undefined : `All${shape.json.label}s`;
    case "empty":
      return undefined;
  }
}

/** `brandKits.extract` → `BrandKitExtract`. */
function titleOf(operation: string): string {
  const [resource = "", verb = ""] = operation.split(".");
  const singular = resource === "analytics" ? resource : resource.replace(/ies$/, "y").replace(/s$/, "");
  return [singular, verb].map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join("");
}

function formName(body: string): string {
  return body.replace(/Body$/, "Form");
}

function refer(name: string): Json {
  return { $ref: `#/components/schemas/${name}` };
}

function convert(names: Names, io: "input" | "output"): Record<string, Json> {
  // What JSON Schema can't express (a transform, a refinement) is left to the service, which responds `invalid_body`.
  const options = { io, unrepresentable: "any", uri: (id: string) => `#/components/schemas/${id}` } as const;
  const { schemas } = z.toJSONSchema(names, options);
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => {
      const { $schema: _, $id: _id, ...rest } = schema;
      const example = EXAMPLES[name] ?? exampleOfList(name);
      return [name, { ...tidy(rest, io), ...(example !== undefined && { examples: [example] }) }];
    }),
  );
}

function exampleOfList(name: string): unknown {
  const [, item] = /^(\w+)List$/.exec(name) ?? [];
  const all = /^All(\w+)s$/.exec(name)?.[1];
  const example = EXAMPLES[item ?? all ?? ""];
  if (example === undefined) return undefined;
  return item === undefined ? { data: [example] } : { data: [example], nextCursor: null };
}

/** Converts any schema to JSON Schema, for parameters. */
export function schemaOf(schema: z.core.$ZodType, io: "input" | "output"): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: "any" });
  return tidy(rest, io);
}

/**
 * Omits what doesn't help readers or generators: the pattern of a format, JavaScript's largest number, labels of
 * fields, and that a response has no other fields, since that of a newer service may have some.
 */
function tidy(node: object, io: "input" | "output"): Json {
  const isObject = "properties" in node;
  const kept = Object.entries(node).filter(([name, value]) => {
    if (Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER) return false;
    if (name === "title" && typeof value === "string") return false;
    if (name === "pattern" && "format" in node) return false;
    return !(name === "additionalProperties" && value === false && io === "output" && isObject);
  });
  return Object.fromEntries(kept.map(([name, value]) => [name, withSlugForm(name, tidyValue(value, io))]));
}

// Slugs have their own validation, so the schemas accept any text.
function withSlugForm(name: string, value: unknown): unknown {
  const isSlug = /^(?:s|\w+S)lug$/.test(name) && typeof value === "object" && value !== null && "type" in value;
  return isSlug ? { ...value, pattern: SLUG_PATTERN.source, maxLength: MAX_SLUG_LENGTH } : value;
}

function tidyValue(value: unknown, io: "input" | "output"): unknown {
  if (Array.isArray(value)) return value.map((each) => tidyValue(each, io));
  return typeof value === "object" && value !== null ? tidy(value, io) : value;
}

function withFile(schema: Json, file: string): Json {
  const { properties, required, examples: _, ...rest } = schema;
  return {
    ...rest,
    properties: { ...Object(properties), [file]: { type: "string", format: "binary" } },
    required: [...new Set([...(Array.isArray(required) ? required : []), file])],
  };
}

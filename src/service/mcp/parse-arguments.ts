import * as z from "zod";
import { ProblemError, pointerErrors } from "../http/problem.ts";
import type { Preconditions } from "../http/request.ts";
import { rulesSchema, type ArgumentPlace, type JsonObject, type Tool } from "./tools.ts";

/** The arguments of a call in the form in which the operation's handler takes them. */
export interface ParsedArguments {
  /** The parameters of the path, in their order. */
  readonly parameters: readonly string[];
  readonly query: unknown;
  readonly body: unknown;
  readonly preconditions: Preconditions;
  readonly idempotencyKey: string | undefined;
  readonly htmlOffset: number;
}

/**
 * Parses the arguments of a call by the schemas of the operation; throws `invalid_arguments` with a pointer to each
 * argument that is wrong, missing or not known.
 */
export function parseArguments(tool: Tool, given: JsonObject): ParsedArguments {
  const unknown = Object.keys(given).filter((name) => !tool.places.has(name));
  if (unknown.length > 0) throw refuse(unknown.map((name) => ({ pointer: pointerTo(name), detail: "is not known" })));
  const part = (place: ArgumentPlace) =>
    Object.fromEntries(Object.entries(given).filter(([name]) => tool.places.get(name) === place));
  const { ifVersion, ifAbsent, idempotencyKey, htmlOffset = 0 } = parse(rulesSchema, part("rule"));
  return {
    parameters: parseParameters(tool, given),
    query: parse(tool.contract.query, asTexts(part("query"))),
    body: tool.contract.body === undefined ? undefined : parse(tool.contract.body.schema, part("body")),
    preconditions: {
      ...(ifVersion !== undefined && { ifMatch: [ifVersion] }),
      ...(ifAbsent !== undefined && { ifAbsent }),
    },
    idempotencyKey,
    htmlOffset,
  };
}

function parseParameters({ parameters }: Tool, given: JsonObject): readonly string[] {
  const wrong = parameters.filter((name) => typeof given[name] !== "string" || given[name] === "");
  if (wrong.length > 0) throw refuse(wrong.map((name) => ({ pointer: pointerTo(name), detail: "has to be a text" })));
  return parameters.map((name) => String(given[name]));
}

/** The query as an address would hold it. A model that has no value for an argument often sends null. */
function asTexts(fields: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(fields)
      .filter(([, value]) => value !== null)
      .map(([name, value]) => [name, typeof value === "object" ? value : String(value)]),
  );
}

function parse<Schema extends z.ZodType>(schema: Schema, value: unknown): z.infer<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw refuse(
    pointerErrors(parsed.error, "/body").map((error) => ({ ...error, pointer: error.pointer.slice("/body".length) })),
  );
}

function refuse(errors: readonly { readonly pointer: string; readonly detail: string }[]): ProblemError {
  return new ProblemError("invalid_arguments", { errors });
}

function pointerTo(name: string): string {
  return `/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

import * as z from "zod";
import { ProblemError, pointerErrors } from "../http/problem.ts";
import type { UploadedFile } from "../api/call.ts";
import type { Preconditions } from "../http/messages.ts";
import { rulesSchema, acceptsFile, type ArgumentPlace, type JsonObject, type Tool } from "./tools.ts";

/** The arguments of a call, as its handler expects them. */
export interface ParsedArguments {
  /** The path parameters in order. */
  readonly parameters: readonly string[];
  readonly query: unknown;
  readonly body: unknown;
  readonly preconditions: Preconditions;
  readonly idempotencyKey: string | undefined;
  readonly htmlOffset: number;
  /** What to find in the HTML of a page. */
  readonly search: { readonly find: string; readonly around: number } | undefined;
  readonly files: readonly UploadedFile[];
}

/**
 * Parses arguments with the operation's schemas. Throws `invalid_arguments` with a pointer to each wrong, missing or
 * unknown argument.
 */
export function parseArguments(tool: Tool, given: JsonObject): ParsedArguments {
  const unknown = Object.keys(given).filter((name) => !tool.places.has(name));
  if (unknown.length > 0) throw refuse(unknown.map((name) => ({ pointer: pointerTo(name), detail: "is unknown" })));
  const part = (place: ArgumentPlace) =>
    Object.fromEntries(Object.entries(given).filter(([name]) => tool.places.get(name) === place));
  const rules = parse(rulesSchema, part("rule"));
  const { ifVersion, ifAbsent, idempotencyKey, htmlOffset = 0, find, around = AROUND, data } = rules;
  const query = asTexts({ ...part("query"), ...(find !== undefined && { include: "html" }) });
  return {
    parameters: parseParameters(tool, given),
    query: parse(tool.contract.query, query),
    body: tool.contract.body === undefined ? undefined : parse(tool.contract.body.schema, part("body")),
    preconditions: {
      ...(ifVersion !== undefined && { ifMatch: [ifVersion] }),
      ...(ifAbsent !== undefined && { ifAbsent }),
    },
    idempotencyKey,
    htmlOffset,
    search: find === undefined ? undefined : { find, around },
    files: acceptsFile(tool.contract) ? [{ name: String(given["name"] ?? "file"), bytes: decodeBase64(data) }] : [],
  };
}

const AROUND = 120;

/** Decodes a file; models also send `data:` URLs. */
function decodeBase64(data: string | undefined): Uint8Array {
  if (data === undefined) throw refuse([{ pointer: "/data", detail: "is missing" }]);
  const text = data.replace(/^data:[^,]*;base64,/, "").replaceAll(/\s/g, "");
  if (!/^[\w+/-]+={0,2}$/.test(text)) throw refuse([{ pointer: "/data", detail: "is not base64" }]);
  return Buffer.from(text, "base64");
}

function parseParameters({ parameters }: Tool, given: JsonObject): readonly string[] {
  const wrong = parameters.filter((name) => typeof given[name] !== "string" || given[name] === "");
  if (wrong.length > 0) throw refuse(wrong.map((name) => ({ pointer: pointerTo(name), detail: "must be a string" })));
  return parameters.map((name) => String(given[name]));
}

/** Formats the query as in a URL. Models often send null for arguments without a value. */
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

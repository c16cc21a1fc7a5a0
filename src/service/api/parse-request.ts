import * as z from "zod";
import type { Body, RouteSetName } from "../../contract/route.ts";
import { ProblemError, pointerErrors } from "../http/problem.ts";
import { parseSentJson } from "../http/messages.ts";
import type { UploadedFile } from "./call.ts";

export interface ParsedBody {
  readonly body: unknown;
  readonly files: readonly UploadedFile[];
  /** Fields that aren't in the schema; they are ignored. */
  readonly unknownFields: readonly string[];
}

export interface RawBody {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly contentType: string;
}

/**
 * Parses a body as the route expects. Throws `unsupported_media_type`, `malformed_body` or `invalid_body` with a
 * pointer to each wrong field. An HTML document sent as a file becomes a text field.
 */
export async function parseBody(
  raw: RawBody,
  expected: Body,
  { routeSet }: { readonly routeSet: RouteSetName },
): Promise<ParsedBody> {
  const isMultipart = checkMediaType(raw.contentType, expected, routeSet);
  const { fields, files } = isMultipart ? await readParts(raw, expected) : { fields: readJson(raw.bytes), files: [] };
  const parsed = expected.schema.safeParse(fields);
  if (!parsed.success) throw new ProblemError("invalid_body", { errors: pointerErrors(parsed.error, "/body") });
  return { body: parsed.data, files, unknownFields: findUnknownFields(fields, expected.schema) };
}

function checkMediaType(contentType: string, { kind }: Body, routeSet: RouteSetName): boolean {
  const type = contentType.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  const isJson = type === "application/json" || /^application\/[\w.-]+\+json$/.test(type);
  if (isJson && (kind === "json" || kind === "json-or-multipart")) return false;
  // Route set A accepts page upserts only as JSON.
  const takesMultipart = kind === "multipart" || (kind === "json-or-multipart" && routeSet === "b");
  if (takesMultipart && type === "multipart/form-data") return true;
  const wanted = [
    ...(kind === "multipart" ? [] : ["application/json"]),
    ...(takesMultipart ? ["multipart/form-data"] : []),
  ].join(" or ");
  throw new ProblemError("unsupported_media_type", { detail: `Send the body as ${wanted}.` });
}

const UTF8 = new TextDecoder("utf-8", { fatal: true });

function readJson(bytes: Uint8Array): unknown {
  try {
    return parseSentJson(UTF8.decode(bytes));
  } catch (error) {
    throw new ProblemError("malformed_body", { detail: "The body is not valid JSON in UTF-8.", cause: error });
  }
}

async function readParts(
  { bytes, contentType }: RawBody,
  expected: Body,
): Promise<{ readonly fields: Record<string, unknown>; readonly files: readonly UploadedFile[] }> {
  checkParts({ bytes, contentType });
  const form = await readForm(bytes, contentType);
  const filePart = "file" in expected ? expected.file : undefined;
  const isDocument = filePart === "html";
  const fields = new Map<string, unknown>();
  const tags: string[] = [];
  const files: UploadedFile[] = [];
  for (const [name, value] of form) {
    if (name === filePart && typeof value !== "string") {
      const content = new Uint8Array(await value.arrayBuffer());
      if (isDocument) fields.set(name, decodeDocument(content));
      else files.push({ name: value.name, bytes: content });
    } else if (name === "tags" && typeof value === "string") {
      tags.push(...splitTags(value));
      fields.set(name, tags);
    } else {
      fields.set(name, value);
    }
  }
  if (!isDocument && filePart !== undefined && files.length === 0) {
    throw new ProblemError("invalid_body", {
      errors: [{ pointer: `/body/${filePart}`, detail: "must be a file" }],
    });
  }
  return { fields: Object.fromEntries(fields), files };
}

// Far more than any client has a reason to send at once.
const MAX_PARTS = 500;
const MAX_TAGS = 500;

/** Rejects a form with too many parts before parsing it: each part takes far more memory than its bytes. */
function checkParts({ bytes, contentType }: RawBody): void {
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]+)"|([^\s;]+))/i.exec(contentType) ?? [];
  const boundary = quoted ?? plain;
  // Without a boundary, there is no form to read.
  if (boundary === undefined) return;
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const delimiter = `--${boundary}`;
  let at = buffer.indexOf(delimiter);
  for (let parts = 0; at !== -1; parts++) {
    if (parts > MAX_PARTS) {
      throw new ProblemError("body_too_large", { detail: `A form may have at most ${MAX_PARTS} parts.` });
    }
    at = buffer.indexOf(delimiter, at + delimiter.length);
  }
}

async function readForm(bytes: Uint8Array<ArrayBuffer>, contentType: string): Promise<FormData> {
  try {
    return await new Response(bytes, { headers: { "Content-Type": contentType } }).formData();
  } catch (error) {
    throw new ProblemError("malformed_body", { detail: "The body is not valid multipart/form-data.", cause: error });
  }
}

function decodeDocument(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw new ProblemError("invalid_html", {
      detail: "The page is not text in UTF-8.",
      errors: [{ pointer: "/body/html", detail: "is not UTF-8" }],
      cause: error,
    });
  }
}

function splitTags(text: string): readonly string[] {
  return text
    .split(",", MAX_TAGS)
    .map((tag) => tag.trim())
    .filter((tag) => tag !== "");
}

function findUnknownFields(fields: unknown, schema: z.ZodType): readonly string[] {
  if (!(schema instanceof z.ZodObject) || typeof fields !== "object" || fields === null) return [];
  return Object.keys(fields).filter((name) => !(name in schema.shape));
}

/** Parses the query of a request. Throws `invalid_query` with a pointer to each wrong or unknown field. */
export function parseQuery<Schema extends z.ZodObject>(schema: Schema, query: string): z.infer<Schema> {
  const parsed = schema.safeParse(query === "" ? {} : splitQuery(query));
  if (!parsed.success) throw new ProblemError("invalid_query", { errors: pointerErrors(parsed.error, "/query") });
  return parsed.data;
}

function splitQuery(query: string): Readonly<Record<string, string>> {
  const parameters = new URLSearchParams(query);
  const repeated = [...new Set(parameters.keys())].filter((name) => parameters.getAll(name).length > 1);
  if (repeated.length > 0) {
    throw new ProblemError("invalid_query", {
      errors: repeated.map((name) => ({ pointer: `/query/${name}`, detail: "is given more than once" })),
    });
  }
  return Object.fromEntries(parameters);
}

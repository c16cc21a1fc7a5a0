import type { OperationName } from "../../contract/operations.ts";
import * as z from "zod";
import { type ResponseShape, listOf, type Route } from "../../contract/route.ts";
import { isFresh, versionTag, type HttpRequest } from "../http/messages.ts";
import type { StoredResponse } from "./idempotency.ts";
import { ProblemError } from "../http/problem.ts";
import { inTransaction, type Context } from "../resources/context.ts";
import type { Database } from "../store/tables.ts";
import type { AnyHandler, Call } from "./call.ts";
import { formatCursor, parseCursor, type Slice, type Window } from "../store/keyset.ts";

/** A handler's response, before it is formatted for the route set. */
export type Reply =
  | {
      readonly kind: "record";
      readonly status: 200 | 201;
      /** All fields of the record, with their names in JSON. */
      readonly record: Readonly<Record<string, unknown>>;
      /**
       * Fields shown in this response only. They are never stored, so the response to a repeated request with an
       * idempotency key omits them.
       */
      readonly shownOnce?: Readonly<Record<string, string>>;
      /** Only when reading a single record. */
      readonly etag?: string;
      /** Absolute, or relative to the route set's base URL; for 201. */
      readonly location?: string;
      /** Only these fields, if the route set returns fewer than its records have. */
      readonly only?: readonly string[];
    }
  | {
      readonly kind: "list";
      readonly status: 200 | 201;
      readonly items: readonly Readonly<Record<string, unknown>>[];
      /** `undefined` omits all paging data. */
      readonly nextCursor?: string | null;
      /** Only these fields of each item. */
      readonly fields?: readonly string[] | undefined;
    }
  | { readonly kind: "json"; readonly status: 200 | 201; readonly body: Readonly<Record<string, unknown>> }
  | {
      readonly kind: "document";
      readonly status: 200;
      /** A stream if the document may be too large for memory. */
      readonly bytes: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;
      readonly headers: Readonly<Record<string, string>>;
    }
  | {
      readonly kind: "not-modified";
      readonly etag: string;
      /** Those of the full response: browsers update their cached headers from a 304. */
      readonly headers?: Readonly<Record<string, string>>;
    }
  | { readonly kind: "empty"; readonly status: 204 };

export interface AnyCall extends Omit<Call<OperationName>, "query" | "body" | "write"> {
  readonly query: unknown;
  readonly body: unknown;
}

/**
 * Calls the handler of an operation. Throws `not_implemented`.
 *
 * @param onChanged runs in the transaction of a change, before the commit
 */
export async function callHandler(
  handler: AnyHandler,
  call: AnyCall,
  onChanged: (database: Database, reply: Reply) => Promise<void>,
): Promise<Reply> {
  if (handler === undefined) throw new ProblemError("not_implemented");
  // A handler's query and body are parsed by the schemas of the same operation, which the union of all can't express.
  return await (handler as (call: AnyCall & Pick<Call<OperationName>, "write">) => Promise<Reply>)({
    ...call,
    write: (change, scope) =>
      inTransaction(
        call.context,
        async (context) => {
          const reply = await change(context);
          await onChanged(context.database, reply);
          return reply;
        },
        scope,
      ),
  });
}

/** Responds with a record: 201 with its URL if it was created, otherwise 200. */
export function recordReply(record: Readonly<Record<string, unknown>>, location?: string): Reply {
  return location === undefined
    ? { kind: "record", status: 200, record }
    : { kind: "record", status: 201, record, location };
}

interface VersionedRecord {
  readonly version: number;
  readonly [field: string]: unknown;
}

/** Responds with a record, or with 304 if the client has its current version. */
export function versionedReply(record: VersionedRecord, ifNoneMatch: string | undefined): Reply {
  const etag = versionTag(record.version);
  return isFresh(ifNoneMatch, etag) ? { kind: "not-modified", etag } : { kind: "record", status: 200, record, etag };
}

/** Removes what must not be stored for repeated requests. */
export function withoutSecrets<Kept extends Reply>(reply: Kept): Kept {
  return reply.kind === "record" ? { ...reply, shownOnce: {} } : reply;
}

export interface FormatOptions {
  readonly route: Route;
  /** Base URL of the route set, for relative locations and links. */
  readonly baseUrl: string;
  readonly strict: boolean;
  /** Validate responses against the contract's schema, and throw if they don't match. */
  readonly checked: boolean;
  /** For the link to the next page of a list. */
  readonly request: Pick<HttpRequest, "path" | "query">;
}

type Fields = Readonly<Record<string, unknown>>;
type JsonReply = Extract<Reply, { readonly kind: "record" | "list" | "json" | "empty" }>;

const JSON_HEADERS = { "Content-Type": "application/json", "Cache-Control": "private, no-cache" } as const;

/** Converts a reply to the route set's form. */
export function formatReply(reply: JsonReply, options: FormatOptions): StoredResponse {
  if (reply.kind === "empty") return { status: reply.status, headers: {}, body: "" };
  if (reply.kind === "json") {
    if (options.checked) checkContract(reply.body, { reply, ...options });
    return { status: reply.status, headers: JSON_HEADERS, body: JSON.stringify(reply.body) };
  }
  const answer = options.route.answers[reply.status];
  const body =
    reply.kind === "list" ? formList(reply, { answer, ...options }) : formRecord(reply, { answer, ...options });
  if (options.checked) checkContract(body, { reply, ...options });
  return { status: reply.status, headers: headersOf(reply, options), body: JSON.stringify(body) };
}

interface FormOptions extends FormatOptions {
  readonly answer: ResponseShape | undefined;
}

function formRecord(reply: Extract<Reply, { kind: "record" }>, { answer, strict }: FormOptions): Fields {
  if (!strict) return { ...reply.record, ...reply.shownOnce };
  return pick(reply.record, reply.only ?? minimumFields(answer) ?? Object.keys(reply.record));
}

function formList(reply: Extract<Reply, { kind: "list" }>, { answer, strict }: FormOptions): Fields {
  const minimum = strict ? minimumFields(answer) : undefined;
  const fields = reply.fields?.filter((field) => minimum?.includes(field) ?? true) ?? minimum;
  const data = fields === undefined ? reply.items : reply.items.map((item) => pick(item, fields));
  return reply.nextCursor === undefined ? { data } : { data, nextCursor: reply.nextCursor };
}

function minimumFields(answer: ResponseShape | undefined): readonly string[] | undefined {
  return answer !== undefined && "record" in answer ? Object.keys(answer.record.minimum.shape) : undefined;
}

export function pick(record: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(names.filter((name) => name in record).map((name) => [name, record[name]]));
}

function headersOf(reply: Exclude<JsonReply, { kind: "empty" }>, options: FormatOptions): Record<string, string> {
  const headers: Record<string, string> = { ...JSON_HEADERS };
  if (reply.kind === "record" && reply.etag !== undefined) headers["ETag"] = reply.etag;
  if (reply.kind === "record" && reply.location !== undefined) {
    headers["Location"] = reply.location.startsWith("/") ? `${options.baseUrl}${reply.location}` : reply.location;
  }
  if (reply.kind === "list" && typeof reply.nextCursor === "string") {
    headers["Link"] = `<${nextUrl(options, reply.nextCursor)}>; rel="next"`;
  }
  return headers;
}

function nextUrl({ baseUrl, route, request }: FormatOptions, cursor: string): string {
  const parameters = new URLSearchParams(request.query);
  parameters.set("cursor", cursor);
  // Starts at the route set's part of the path, since a proxy may have added a prefix.
  const path = request.path.slice(request.path.indexOf(route.path.split("/:", 1)[0] ?? ""));
  return `${baseUrl}${path}?${parameters.toString()}`;
}

/** Throws if a response violates the contract, a bug that tests should find. */
function checkContract(body: Fields, { route, reply, strict }: FormatOptions & { readonly reply: JsonReply }): void {
  const answer = route.answers[reply.status];
  const schema = answer === undefined ? undefined : schemaOf(answer, { reply, strict });
  if (schema === undefined) throw new Error(`${route.operation} must not respond with ${reply.status} and a body.`);
  const parsed = schema.safeParse(body);
  if (!parsed.success) throw new Error(`${route.operation} violated its contract: ${parsed.error.message}`);
}

// Zod compiles a schema when it first parses with it, which takes longer than a small request.
const schemas = new WeakMap<ResponseShape, Map<string, z.ZodType>>();

function schemaOf(
  answer: ResponseShape,
  { reply, strict }: { readonly reply: JsonReply; readonly strict: boolean },
): z.ZodType | undefined {
  if (answer.kind === "json") return answer.schema;
  if (!("record" in answer)) return undefined;
  const known = schemas.get(answer) ?? new Map<string, z.ZodType>();
  schemas.set(answer, known);
  const isPartial =
    reply.kind === "list" ? reply.fields !== undefined : strict && reply.kind === "record" && reply.only !== undefined;
  const isPaged = reply.kind !== "list" || reply.nextCursor !== undefined;
  const form = [strict, isPartial, isPaged].join(" ");
  const schema = known.get(form) ?? buildSchema(answer, { strict, isPartial, isPaged });
  known.set(form, schema);
  return schema;
}

function buildSchema(
  { kind, record: { minimum, full } }: Extract<ResponseShape, { readonly record: unknown }>,
  { strict, isPartial, isPaged }: { readonly strict: boolean; readonly isPartial: boolean; readonly isPaged: boolean },
): z.ZodType {
  const whole = z.strictObject((strict ? minimum : full).shape);
  const record = isPartial ? whole.partial() : whole;
  if (kind === "record") return record;
  return isPaged ? listOf(record) : z.strictObject({ data: z.array(record) });
}

export interface PagingQuery {
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

/** Returns the requested page of a list. Throws `invalid_query` for an invalid cursor. */
export function windowOf({ limit, cursor }: PagingQuery, { limits, quirks, now }: Context): Window {
  const after = cursor === undefined ? undefined : parseCursor(cursor);
  if (cursor !== undefined && after === undefined) {
    throw new ProblemError("invalid_query", {
      errors: [{ pointer: "/query/cursor", detail: "is not a cursor of this list" }],
    });
  }
  return {
    after,
    limit: limitOf(limit, { limits, quirks }),
    visibleUntil: quirks.listLagMs === 0 ? undefined : now.getTime() - quirks.listLagMs,
  };
}

// A list that is silently cut always ends at the same place, whatever limit was requested.
function limitOf(asked: number | undefined, { limits, quirks }: Pick<Context, "limits" | "quirks">): number {
  if (quirks.lists === "unpaged") return Number.MAX_SAFE_INTEGER - 1;
  return quirks.lists === "cut" ? limits.defaultListLimit : (asked ?? limits.defaultListLimit);
}

export interface ListOptions<Item> {
  readonly context: Context;
  readonly fields?: readonly string[] | undefined;
  view(item: Item): Readonly<Record<string, unknown>>;
}

export function listReply<Item>({ items, next }: Slice<Item>, { context, fields, view }: ListOptions<Item>): Reply {
  const list = { kind: "list", status: 200, items: items.map((item) => view(item)), fields } as const;
  if (context.quirks.lists !== "paged") return list;
  return { ...list, nextCursor: next === undefined ? null : formatCursor(next) };
}

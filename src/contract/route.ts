import * as z from "zod";
import type { RecordContract } from "./fields.ts";
import type { ProblemCode } from "./problems.ts";
import type { Scope } from "./scopes.ts";

export type RouteSetName = "a" | "b";
export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/**
 * What an answer holds: one record, a list of records (`{data, nextCursor}`), all records at once (`{data}`), another
 * JSON shape, or a document, which may also come as all records.
 */
export type ResponseShape =
  | { readonly kind: "record"; readonly record: RecordContract }
  | { readonly kind: "list"; readonly record: RecordContract }
  | { readonly kind: "all"; readonly record: RecordContract }
  | { readonly kind: "json"; readonly schema: z.ZodType }
  | { readonly kind: "document"; readonly contentType: string; readonly json?: RecordContract }
  | { readonly kind: "empty" };

/**
 * What a body is sent as. A multipart body names its file part; its other parts are the fields of `schema`. A bundle is
 * a tar archive, which may be compressed (`Content-Encoding`).
 */
export type Body =
  | { readonly kind: "json"; readonly schema: z.ZodType }
  | { readonly kind: "form"; readonly schema: z.ZodType }
  | { readonly kind: "multipart"; readonly file: string; readonly schema: z.ZodType }
  | { readonly kind: "bundle"; readonly file: string; readonly schema: z.ZodType }
  | { readonly kind: "json-or-multipart"; readonly file: string; readonly schema: z.ZodType };

/** What an operation takes and answers, wherever a route set puts it. */
export interface Operation {
  /** What it does, in a few words: `List pages`. */
  readonly summary: string;
  /** What else a caller has to know, in one or two sentences. */
  readonly description?: string;
  /** The response has an `ETag`, and `If-None-Match` makes it 304. */
  readonly etag?: true;
  /** `undefined`: no key is needed. */
  readonly scope: Scope | undefined;
  readonly query: z.ZodObject;
  readonly body?: Body;
  /** Successful answers by status, and those errors that are no problem details. */
  readonly answers: Readonly<Record<number, ResponseShape>>;
  /** Problems beside those that every route can answer with. */
  readonly problems: readonly ProblemCode[];
}

/** Operations by their names. Without a query no query field is taken, without problems only those of every route. */
export type OperationRows = Readonly<
  Record<string, Omit<Operation, "query" | "problems"> & Partial<Pick<Operation, "query" | "problems">>>
>;

/** Where a route set puts an operation. */
export interface Row {
  readonly operation: string;
  readonly method: Method;
  /** Relative to the base address, with `:name` for parameters, exactly as the specification writes it. */
  readonly path: string;
}

/** One row of a route set: what both the client and the service know about a request. */
export interface Route extends Row, Operation {}

export const empty = { kind: "empty" } as const satisfies ResponseShape;

export function one(record: RecordContract): ResponseShape {
  return { kind: "record", record };
}

export function many(record: RecordContract): ResponseShape {
  return { kind: "list", record };
}

/** Records that don't come in parts. */
export function all(record: RecordContract): ResponseShape {
  return { kind: "all", record };
}

export function json(schema: z.ZodType): ResponseShape {
  return { kind: "json", schema };
}

export function documentOf(contentType: string, json?: RecordContract): ResponseShape {
  return json === undefined ? { kind: "document", contentType } : { kind: "document", contentType, json };
}

/** The frame of every list: `nextCursor` is `null` on the last page. */
export function listOf<Item extends z.ZodType>(item: Item) {
  return z.object({ data: z.array(item), nextCursor: z.string().nullable() });
}

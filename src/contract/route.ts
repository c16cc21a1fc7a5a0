import * as z from "zod";
import type { RecordContract } from "./fields.ts";
import type { ProblemCode } from "./problems.ts";
import type { Scope } from "./scopes.ts";

export type RouteSetName = "a" | "b";
export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/**
 * Content of a response: one record, a list of records (`{data, nextCursor}`), all records at once (`{data}`), another
 * JSON shape, or a document, which may also be returned as all records.
 */
export type ResponseShape =
  | { readonly kind: "record"; readonly record: RecordContract }
  | { readonly kind: "list"; readonly record: RecordContract }
  | { readonly kind: "all"; readonly record: RecordContract }
  | { readonly kind: "json"; readonly schema: z.ZodType }
  | { readonly kind: "document"; readonly contentType: string; readonly json?: RecordContract }
  | { readonly kind: "empty" };

/**
 * Format of a request body. A multipart body specifies its file part; its other parts are the fields of `schema`. A
 * bundle is a tar archive, which may be compressed (`Content-Encoding`).
 */
export type Body =
  | { readonly kind: "json"; readonly schema: z.ZodType }
  | { readonly kind: "form"; readonly schema: z.ZodType }
  | { readonly kind: "multipart"; readonly file: string; readonly schema: z.ZodType }
  | { readonly kind: "bundle"; readonly file: string; readonly schema: z.ZodType }
  | { readonly kind: "json-or-multipart"; readonly file: string; readonly schema: z.ZodType };

/** Request and responses of an operation, the same in each route set. */
export interface Operation {
  /** Short summary: `List pages`. */
  readonly summary: string;
  /** What else a caller needs to know, in one or two sentences. */
  readonly description?: string;
  /** The response has an `ETag`, and `If-None-Match` makes it 304. */
  readonly etag?: true;
  /** `undefined` if no key is needed. */
  readonly scope: Scope | undefined;
  readonly query: z.ZodObject;
  readonly body?: Body;
  /** Successful responses by status, and errors that aren't problem details. */
  readonly answers: Readonly<Record<number, ResponseShape>>;
  /** Problems in addition to those of every route. */
  readonly problems: readonly ProblemCode[];
}

/** Operations by name. By default, they take no query fields and have only the problems of every route. */
export type OperationRows = Readonly<
  Record<string, Omit<Operation, "query" | "problems"> & Partial<Pick<Operation, "query" | "problems">>>
>;

/** Method and path of an operation in a route set. */
export interface Row {
  readonly operation: string;
  readonly method: Method;
  /** Relative to the base address, with `:name` for parameters, exactly as in the specification. */
  readonly path: string;
}

/** One row of a route set, shared by the client and the service. */
export interface Route extends Row, Operation {}

export const empty = { kind: "empty" } as const satisfies ResponseShape;

export function one(record: RecordContract): ResponseShape {
  return { kind: "record", record };
}

export function many(record: RecordContract): ResponseShape {
  return { kind: "list", record };
}

/** All records at once, without pagination. */
export function all(record: RecordContract): ResponseShape {
  return { kind: "all", record };
}

export function json(schema: z.ZodType): ResponseShape {
  return { kind: "json", schema };
}

export function documentOf(contentType: string, json?: RecordContract): ResponseShape {
  return json === undefined ? { kind: "document", contentType } : { kind: "document", contentType, json };
}

/** The envelope of every list: `nextCursor` is `null` on the last page. */
export function listOf<Item extends z.ZodType>(item: Item) {
  return z.object({ data: z.array(item), nextCursor: z.string().nullable() });
}

import * as z from "zod";
import type { OperationName, OPERATIONS } from "../../contract/operations.ts";
import type { RouteSetName } from "../../contract/route.ts";
import type { Credential } from "../auth/authenticate.ts";
import type { Context } from "../resources/context.ts";
import type { Preconditions } from "../http/request.ts";
import type { WriteScope } from "../store/transactions.ts";
import type { Reply } from "./reply.ts";

/** A file part of a multipart body. Its name is what the sender says and good for nothing but showing it. */
export interface UploadedFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

type QueryOf<Name extends OperationName> = (typeof OPERATIONS)[Name] extends {
  readonly query: infer Query extends z.ZodType;
}
  ? z.infer<Query>
  : Readonly<Record<string, never>>;

type BodyOf<Name extends OperationName> = (typeof OPERATIONS)[Name] extends {
  readonly body: { readonly schema: infer Schema extends z.ZodType };
}
  ? z.infer<Schema>
  : undefined;

/** One request, parsed. */
export interface Call<Name extends OperationName> {
  readonly routeSet: RouteSetName;
  /** Answers hold only what the specification shows. */
  readonly strict: boolean;
  /** The first parameter of the path, which names the record or what it belongs to; empty where there is none. */
  readonly target: string;
  /** The second parameter of the path. */
  readonly member: string;
  readonly query: QueryOf<Name>;
  readonly body: BodyOf<Name>;
  readonly files: readonly UploadedFile[];
  readonly preconditions: Preconditions;
  /** The `If-None-Match` header of a request that reads. */
  readonly ifNoneMatch: string | undefined;
  readonly credential: Credential | undefined;
  readonly context: Context;
  /**
   * Runs a change in one transaction, which also keeps the answer for a request with an idempotency key. Whatever is
   * slow (decoding an image, writing a blob) is done before: the database serves nobody else meanwhile. The change may
   * be made again when it lost a race. Without a scope no other write runs beside it.
   */
  write(change: (context: Context) => Promise<Reply>, scope?: WriteScope): Promise<Reply>;
}

export type Handler<Name extends OperationName> = (call: Call<Name>) => Promise<Reply>;

/** The handler of any operation; `undefined` for one that is not built. */
export type AnyHandler = Handlers[OperationName];

/** What is built, by operation. */
export type Handlers = { readonly [Name in OperationName]?: Handler<Name> };

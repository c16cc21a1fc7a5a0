import * as z from "zod";
import type { OperationName, OPERATIONS } from "../../contract/operations.ts";
import type { RouteSetName } from "../../contract/route.ts";
import type { Credential } from "../auth/authenticate.ts";
import type { Context } from "../resources/context.ts";
import type { Preconditions } from "../http/messages.ts";
import type { WriteScope } from "../store/transactions.ts";
import type { Reply } from "./reply.ts";

/** A file part of a multipart body. Its name comes from the client and is only for display. */
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

/** A parsed request. */
export interface Call<Name extends OperationName> {
  readonly routeSet: RouteSetName;
  /** Responses contain only what the specification shows. */
  readonly strict: boolean;
  /** The first path parameter, which identifies the record or its parent; empty if the path has none. */
  readonly target: string;
  /** The second path parameter. */
  readonly member: string;
  readonly query: QueryOf<Name>;
  readonly body: BodyOf<Name>;
  readonly files: readonly UploadedFile[];
  readonly preconditions: Preconditions;
  /** The `If-None-Match` header of a read request. */
  readonly ifNoneMatch: string | undefined;
  readonly credential: Credential | undefined;
  readonly context: Context;
  /**
   * Runs a change in one transaction, which also stores the response for an idempotency key. Do slow work (decoding
   * images, writing blobs) beforehand, as the database serves no one else meanwhile. The change may run again if it
   * loses a race. Without `scope`, no other write runs concurrently.
   */
  write(change: (context: Context) => Promise<Reply>, scope?: WriteScope): Promise<Reply>;
}

export type Handler<Name extends OperationName> = (call: Call<Name>) => Promise<Reply>;

/** The handler of any operation; `undefined` if not implemented. */
export type AnyHandler = Handlers[OperationName];

export type Handlers = { readonly [Name in OperationName]?: Handler<Name> };

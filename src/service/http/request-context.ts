import type { IncomingMessage, ServerResponse } from "node:http";
import type { ProblemCode } from "../../contract/problems.ts";

/** Context of a request, for what its handlers report besides the response. */
export interface RequestContext {
  readonly requestId: string;
  /** The requested path, including a route set prefix. */
  readonly path: string;
  /** The sockets; `undefined` for a request made in process. */
  readonly connection: Connection | undefined;
  /** Adds a remark to the request log, such as an unknown field of a body. */
  warn(remark: string): void;
  /** Sets the operation in the request log if method and path don't determine it. */
  setOperation(name: string): void;
  /** Adds facts for the logs, such as the caller and the problem. */
  addFacts(facts: RequestFacts): void;
  /** Called in a transaction before the commit; throwing rolls back the change. */
  readonly beforeCommit?: () => void;
  addHeaders(headers: Readonly<Record<string, string>>): void;
}

/** Facts about a request that only its handlers know. */
export interface RequestFacts {
  /** The account of the request. */
  readonly accountId?: string;
  /** Id of the key or session of the request. */
  readonly keyId?: string;
  readonly problem?: ProblemCode;
}

export interface Connection {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
}

/** The `context.env` that Hono passes to handlers. */
export interface ServiceEnv {
  readonly Bindings: RequestContext;
}

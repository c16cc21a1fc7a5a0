import type { IncomingMessage, ServerResponse } from "node:http";
import type { ProblemCode } from "../../contract/problems.ts";

/** One request on its way through the service, and what the rooms report beside their response. */
export interface RequestContext {
  readonly requestId: string;
  /** The path that was asked for, with the prefix of a route set. */
  readonly path: string;
  /** The sockets; `undefined` when the request was made in process. */
  readonly connection: Connection | undefined;
  /** Keeps a remark for the request log, such as an unknown field of a body. */
  warn(remark: string): void;
  /** Names what is asked for in the request log, where method and path don't. */
  setOperation(name: string): void;
  /** Says who asks and why a request is refused, for the logs. */
  addFacts(facts: RequestFacts): void;
  /** Called at the end of a transaction, before it is committed; what it throws undoes the change. */
  readonly beforeCommit?: () => void;
  /** Adds headers to whatever is answered. */
  addHeaders(headers: Readonly<Record<string, string>>): void;
}

/** What only the rooms behind the host know of a request. */
export interface RequestFacts {
  /** The account that the request was made for. */
  readonly accountId?: string;
  /** The id of the key or session that it was made with. */
  readonly keyId?: string;
  /** The code of the problem that it was answered with. */
  readonly problem?: ProblemCode;
}

export interface Connection {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
}

/** What hono hands to every handler as `context.env`. */
export interface ServiceEnv {
  readonly Bindings: RequestContext;
}

import type { IncomingMessage, ServerResponse } from "node:http";
import type { Fault } from "./development/fault-rules.ts";

/** One request on its way through the service, and what the rooms have to tell beside their answer. */
export interface Exchange {
  readonly requestId: string;
  /** The path that was asked for, with the prefix of a route set. */
  readonly path: string;
  /** The fault that a test has ordered for this request. */
  readonly fault: Fault | undefined;
  /** The sockets; `undefined` when the request was made in process. */
  readonly connection: Connection | undefined;
  /** Keeps a remark for the request log, such as an unknown field of a body. */
  warn(remark: string): void;
  /** Names what is asked for in the request log, where neither method nor path tell. */
  setOperation(name: string): void;
  /** Adds headers to whatever is answered. */
  addHeaders(headers: Readonly<Record<string, string>>): void;
}

export interface Connection {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
}

/** What hono hands to every handler as `context.env`. */
export interface ServiceEnv {
  readonly Bindings: Exchange;
}

import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** Serves a request when it is its turn. */
export type Turns = (outgoing: ServerResponse, serve: () => void) => void;

/**
 * Lets the requests of one connection take turns. A client may send the next request before it has the last answer, and
 * then counts on the changes of the one before (RFC 9112, 9.3.2).
 */
export function createTurns(): Turns {
  const latest = new WeakMap<Socket, ServerResponse>();
  return (outgoing, serve) => {
    const { socket } = outgoing.req;
    const before = latest.get(socket);
    latest.set(socket, outgoing);
    if (before === undefined || before.writableEnded) serve();
    else before.once("close", serve);
  };
}

import type { IncomingMessage } from "node:http";

const MAX_MS = 500;
const MAX_BYTES = 1024 * 1024;

/**
 * Reads what is still on its way of a body that was answered before its end, so that a sender which looks at the answer
 * only then gets to see it. A long rest is cut off with the connection.
 */
export function drainBody(incoming: IncomingMessage): void {
  if (incoming.complete || incoming.destroyed) return;
  let rest = MAX_BYTES;
  const cut = () => incoming.socket.destroySoon();
  const timer = setTimeout(cut, MAX_MS);
  incoming.on("data", (chunk: Buffer) => {
    rest -= chunk.byteLength;
    if (rest < 0) cut();
  });
  incoming.once("close", () => clearTimeout(timer));
  incoming.resume();
}

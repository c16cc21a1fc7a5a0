import type { ServerResponse } from "node:http";

/** Minimum progress of a client to keep its connection. */
export interface Pace {
  /** In milliseconds. */
  readonly windowMs: number;
  /** Bytes of the request to send or of the response to receive in each window. */
  readonly bytesPerWindow: number;
}

/** Progress of a request at the start of the window. */
interface Mark {
  readonly phase: Phase;
  readonly bytes: number;
  readonly at: number;
}

/** Who is waiting for whom: only a client that we wait for can be too slow. */
type Phase = "receiving" | "working" | "sending";

const LOOKS_PER_WINDOW = 10;
// Gives the final response time to reach the client.
const FAREWELL_MS = 500;
const TIMED_OUT = "HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";

/**
 * Closes the connections of clients that barely send their request or receive its response. The total time isn't
 * limited, so that large files arrive over slow lines. Returns a function to stop it.
 */
export function endSlowPeers(running: ReadonlySet<ServerResponse>, { windowMs, bytesPerWindow }: Pace): () => void {
  const marks = new WeakMap<ServerResponse, Mark>();
  const lookEveryMs = windowMs / LOOKS_PER_WINDOW;
  let lookedAt = performance.now();

  function look(): void {
    const now = performance.now();
    // While this process was blocked, no client could make progress.
    const stoodStill = now - lookedAt > 2 * lookEveryMs;
    lookedAt = now;
    for (const outgoing of running) {
      const phase = phaseOf(outgoing);
      const bytes = bytesOf(outgoing, phase);
      const mark = marks.get(outgoing);
      if (mark?.phase !== phase || stoodStill) marks.set(outgoing, { phase, bytes, at: now });
      else if (now - mark.at >= windowMs) {
        if (phase !== "working" && bytes - mark.bytes < bytesPerWindow) end(outgoing);
        marks.set(outgoing, { phase, bytes, at: now });
      }
    }
  }

  const looking = setInterval(look, lookEveryMs).unref();
  return () => clearInterval(looking);
}

function phaseOf({ req, socket, headersSent }: ServerResponse): Phase {
  if ((socket?.writableLength ?? 0) > 0) return "sending";
  // Received data that isn't read yet waits for us.
  const isHeldUp = req.readableLength >= req.readableHighWaterMark || req.isPaused();
  return headersSent || req.complete || isHeldUp ? "working" : "receiving";
}

function bytesOf({ socket }: ServerResponse, phase: Phase): number {
  if (socket === null) return 0;
  return phase === "sending" ? socket.bytesWritten - socket.writableLength : socket.bytesRead;
}

function end({ req: { socket }, headersSent }: ServerResponse): void {
  if (!headersSent) socket.write(TIMED_OUT);
  setTimeout(() => socket.destroy(), headersSent ? 0 : FAREWELL_MS).unref();
}

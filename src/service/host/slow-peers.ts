import type { ServerResponse } from "node:http";

/** What a peer has to get done, so that its connection isn't held for nothing. */
export interface Pace {
  /** In milliseconds. */
  readonly windowMs: number;
  /** To send of a request or to take of an answer in every window. */
  readonly bytesPerWindow: number;
}

/** The exchange of one request, as it was at the start of the window. */
interface Mark {
  readonly phase: Phase;
  readonly bytes: number;
  readonly at: number;
}

/** Whose turn it is: only a peer that we wait for can be too slow. */
type Phase = "receiving" | "working" | "sending";

const LOOKS_PER_WINDOW = 10;
// The last words reach the peer before the connection ends.
const FAREWELL_MS = 500;
const TIMED_OUT = "HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";

/**
 * Ends the connections of peers that hardly send their request or hardly take its answer. The time that a request takes
 * as a whole is not limited: a large file over a slow line arrives. Returns what stops it.
 */
export function endSlowPeers(running: ReadonlySet<ServerResponse>, { windowMs, bytesPerWindow }: Pace): () => void {
  const marks = new WeakMap<ServerResponse, Mark>();
  const lookEveryMs = windowMs / LOOKS_PER_WINDOW;
  let lookedAt = performance.now();

  function look(): void {
    const now = performance.now();
    // While this process itself stood still, nobody could show any progress.
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
  // What has arrived and is not read yet waits for us.
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

import type { RouteSetName } from "../../contract/route.ts";
import type { AnsweredRequest } from "../host/handler.ts";

/** A completed request. Contains neither headers nor bodies, so that no keys are logged. */
export interface RequestLogEntry {
  readonly at: Date;
  readonly method: string;
  /** Without the query, which may contain secrets. */
  readonly path: string;
  /** 0 if no response was sent, as with some faults. */
  readonly status: number;
  readonly routeSet: RouteSetName | undefined;
  /** The operation of the contract, or `mcp:` and the tool; `undefined` for pages, files and unknown routes. */
  readonly operation: string | undefined;
  /** Response time in milliseconds. */
  readonly ms: number;
  readonly warnings: readonly string[];
}

export interface RequestLog {
  add(request: AnsweredRequest): void;
  /** Returns the entries since this time (default: all), oldest first. */
  list(since?: Date): readonly RequestLogEntry[];
  clear(): void;
}

// Enough for the longest test, and constant in a service that runs for months.
const MAX_ENTRIES = 20_000;

export function createRequestLog(): RequestLog {
  let entries: RequestLogEntry[] = [];
  return {
    add({ at, method, path, routeSet, operation, status, ms, warnings }) {
      entries.push({ at: new Date(at), method, path, routeSet, operation, status, ms, warnings });
      if (entries.length >= 2 * MAX_ENTRIES) entries = entries.slice(-MAX_ENTRIES);
    },
    list(since) {
      const from = since?.getTime() ?? Number.NEGATIVE_INFINITY;
      return entries.slice(-MAX_ENTRIES).filter(({ at }) => at.getTime() >= from);
    },
    clear() {
      entries = [];
    },
  };
}

import type { RouteSetName } from "../../contract/route.ts";
import type { AnsweredRequest } from "../host/handler.ts";

/** One answered request. Holds neither headers nor bodies, so that no key can get into it. */
export interface RequestLogEntry {
  readonly at: Date;
  readonly method: string;
  /** Without the query, which may hold what nobody should read. */
  readonly path: string;
  /** 0 when no answer was sent, as some ordered faults do. */
  readonly status: number;
  readonly routeSet: RouteSetName | undefined;
  /** The operation of the contract, or `mcp:` and the tool; `undefined` for pages, files and unknown routes. */
  readonly operation: string | undefined;
  /** How long the answer took, in milliseconds. */
  readonly ms: number;
  readonly warnings: readonly string[];
}

export interface RequestLog {
  add(request: AnsweredRequest): void;
  /** The entries from this time on (all by default), oldest first. */
  list(since?: Date): readonly RequestLogEntry[];
  clear(): void;
}

// Enough for the longest test; a service that runs for months keeps a constant amount.
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

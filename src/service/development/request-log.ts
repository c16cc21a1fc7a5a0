import type { RouteSetName } from "../../contract/route.ts";

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

/** An entry as it is noted, with its time in milliseconds since 1970. */
export type NotedRequest = Omit<RequestLogEntry, "at"> & { readonly at: number };

export interface RequestLog {
  add(request: NotedRequest): void;
  /** The entries from this time on (all by default), oldest first. */
  list(since?: Date): readonly RequestLogEntry[];
  clear(): void;
}

// Enough for the longest test; a service that runs for months keeps a constant amount.
const MAX_ENTRIES = 20_000;

export function createRequestLog(): RequestLog {
  // A ring: where it is full, the newest entry is written over the oldest. An object for each request, which lives for
  // long, would cost the garbage collector more than serving the request costs otherwise.
  let ring: Writable<NotedRequest>[] = [];
  let oldest = 0;
  return {
    add(request) {
      const slot = ring.length < MAX_ENTRIES ? undefined : ring[oldest];
      if (slot === undefined) return void ring.push(request);
      Object.assign(slot, request);
      oldest = (oldest + 1) % MAX_ENTRIES;
    },
    list(since) {
      const inOrder = [...ring.slice(oldest), ...ring.slice(0, oldest)];
      const from = since?.getTime() ?? Number.NEGATIVE_INFINITY;
      return inOrder.filter(({ at }) => at >= from).map((noted) => ({ ...noted, at: new Date(noted.at) }));
    },
    clear() {
      ring = [];
      oldest = 0;
    },
  };
}

type Writable<Fields> = { -readonly [Name in keyof Fields]: Fields[Name] };

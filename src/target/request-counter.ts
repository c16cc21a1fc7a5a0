/** Counts the requests of a run, for its report. */
export interface RequestCounter {
  readonly observe: (request: { readonly method: string }) => void;
  counts(): { readonly total: number; readonly writes: number };
}

export function createRequestCounter(): RequestCounter {
  let total = 0;
  let writes = 0;
  return {
    observe({ method }) {
      total += 1;
      if (method !== "GET" && method !== "HEAD") writes += 1;
    },
    counts: () => ({ total, writes }),
  };
}

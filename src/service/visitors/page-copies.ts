/** What is sent for a page in one state. */
export interface PageCopy {
  readonly headers: Readonly<Record<string, string>>;
  readonly html: Uint8Array<ArrayBuffer>;
}

/** Copies of pages in memory, so that a page which is read often is not made again for each reader. */
export interface PageCopies {
  /** `state` names the page with its version and content, so that a copy is never out of date. */
  find(state: string): PageCopy | undefined;
  keep(state: string, copy: PageCopy): void;
}

/**
 * Keeps copies of up to so many bytes. They are in two halves: when the new one is full it becomes the old one, whose
 * copies go unless somebody has asked for them since.
 */
export function createPageCopies({ maxBytes }: { readonly maxBytes: number }): PageCopies {
  let recent = new Map<string, PageCopy>();
  let older = new Map<string, PageCopy>();
  let recentBytes = 0;

  function keep(state: string, copy: PageCopy): void {
    const bytes = copy.html.byteLength;
    if (bytes > maxBytes / 8) return;
    if (recentBytes + bytes > maxBytes / 2) {
      older = recent;
      recent = new Map();
      recentBytes = 0;
    }
    recent.set(state, copy);
    recentBytes += bytes;
  }

  return {
    find(state) {
      const copy = recent.get(state);
      if (copy !== undefined) return copy;
      const old = older.get(state);
      if (old !== undefined) keep(state, old);
      return old;
    },
    keep,
  };
}

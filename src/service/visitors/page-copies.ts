import type { PublishedState } from "../store/pages.ts";

/** What is sent for a page in one state. */
export interface PageCopy {
  readonly state: PublishedState;
  readonly headers: Readonly<Record<string, string>>;
  readonly html: Uint8Array<ArrayBuffer>;
}

/** Copies of pages in memory, so that a page which is read often is not made again for each reader. */
export interface PageCopies {
  /** The copy with this name when it is of exactly this state: another one is out of date. */
  find(name: string, state: PublishedState): PageCopy | undefined;
  keep(name: string, copy: PageCopy): void;
}

/**
 * Keeps copies of up to so many bytes. They are in two halves: when the new one is full it becomes the old one, whose
 * copies go unless somebody has asked for them since.
 */
export function createPageCopies({ maxBytes }: { readonly maxBytes: number }): PageCopies {
  let recent = new Map<string, PageCopy>();
  let older = new Map<string, PageCopy>();
  let recentBytes = 0;

  function keep(name: string, copy: PageCopy): void {
    const bytes = copy.html.byteLength;
    if (bytes > maxBytes / 8) return;
    if (recentBytes + bytes > maxBytes / 2) {
      older = recent;
      recent = new Map();
      recentBytes = 0;
    }
    recent.set(name, copy);
    recentBytes += bytes;
  }

  return {
    find(name, state) {
      const copy = recent.get(name);
      if (copy !== undefined && isOf(copy, state)) return copy;
      const old = older.get(name);
      if (old === undefined || !isOf(old, state)) return undefined;
      keep(name, old);
      return old;
    },
    keep,
  };
}

function isOf({ state }: PageCopy, { id, version, contentHash }: PublishedState): boolean {
  return state.version === version && state.id === id && state.contentHash === contentHash;
}

import type { Core } from "../core.ts";
import { readPageHtml } from "../store/pages.ts";
import type { ServedPage } from "../store/served-domains.ts";

/** Whether pages say themselves which address is theirs. */
export interface CanonicalLinks {
  find(page: ServedPage): Promise<"own" | "none">;
}

const MAX_REMEMBERED = 1000;
// Neither value has a `>` in it, and a pattern that stops there stays quick on any page.
const LINK = /<link\s[^<>]*\brel\s*=\s*["']?canonical\b/i;

/** Remembers what was found by the page's content, since looking for it reads the whole page. */
export function createCanonicalLinks({ store }: Core): CanonicalLinks {
  const remembered = new Map<string, "own" | "none">();
  return {
    async find({ id, contentHash }) {
      const known = remembered.get(contentHash);
      if (known !== undefined) return known;
      const html = await readPageHtml(store.database, id);
      const found = LINK.test(new TextDecoder().decode(html)) ? "own" : "none";
      if (remembered.size >= MAX_REMEMBERED) remembered.clear();
      remembered.set(contentHash, found);
      return found;
    },
  };
}

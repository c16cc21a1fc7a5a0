import { sha256 } from "../base/hash.ts";

/** Hash of the words that readers see. */
export function hashOfWords(html: string): string {
  return sha256(wordsOf(html));
}

/** Whether a page as shown has the words that a page starts with: a host that rewrites HTML preserves them. */
export function hasSameWords(sent: string, shown: string): boolean {
  const wanted = wordsOf(sent);
  return wanted !== "" && wordsOf(shown).includes(wanted.slice(0, 200));
}

function wordsOf(html: string): string {
  return html
    .replace(/<(script|style|head)\b.*?<\/\1>/gis, " ")
    .replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ")
    .trim();
}

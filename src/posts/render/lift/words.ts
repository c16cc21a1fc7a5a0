/** The words of a text in lowercase, without punctuation and whitespace. */
export function wordsOf(text: string): readonly string[] {
  return (
    text
      .normalize("NFC")
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}

/** The words that a reader of rendered Markdown or MDX sees, without those added by components. */
export function wordsOfMarkdown(markdown: string): readonly string[] {
  const text = withoutModules(withoutExpressions(markdown))
    .replaceAll(/^(`{3,}|~{3,})[^\n]*$/gm, "")
    .replaceAll(/<\/?[A-Za-z][^<>]*>/g, " ")
    .replaceAll(/^\s*\[[^\]]+\]:\s+\S+.*$/gm, (line) => (line.trim().startsWith("[^") ? line : ""))
    .replaceAll(/!\[[^\]]*\](?:\([^)]*\)|\[[^\]]*\])/g, " ")
    .replaceAll(/\]\([^)]*\)/g, " ")
    .replaceAll(/\[\^[^\]]+\]:?/g, " ")
    .replaceAll(/https?:\/\/\S+/g, " ")
    .replaceAll(/&#?\w+;/g, " ");
  return wordsOf(text);
}

/** Removes the imports and exports of MDX. Each ends at a blank line. */
export function withoutModules(markdown: string): string {
  return markdown.replaceAll(/(?:^|\n[ \t]*\n)\s*(?:import|export)\s(?:(?!\n[ \t]*\n)[^])*/g, "\n");
}

// Innermost first, as expressions contain others.
function withoutExpressions(markdown: string): string {
  const text = markdown.replaceAll(/\{[^{}]*\}/g, " ");
  return text === markdown ? text : withoutExpressions(text);
}

export type WordCounts = ReadonlyMap<string, number>;

export function countWords(words: readonly string[]): WordCounts {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

/** Counts the wanted words that were found, each at most as often as it is wanted. */
export function countCovered(wanted: WordCounts, found: WordCounts): number {
  return [...wanted].reduce((sum, [word, count]) => sum + Math.min(count, found.get(word) ?? 0), 0);
}

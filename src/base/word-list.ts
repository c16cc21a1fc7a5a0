// Lists of short texts, such as tags, on one line: `paper, "Portland, Oregon"`.

/** Joins texts with commas, with those that a comma or quotation marks would change in quotation marks. */
export function joinWords(words: readonly string[]): string {
  return words.map((word) => (isPlain(word) ? word : `"${word.replaceAll('"', '""')}"`)).join(", ");
}

function isPlain(word: string): boolean {
  return !word.includes(",") && !word.startsWith('"') && word.trim() === word;
}

/** Splits a line of text at commas outside quotation marks, and drops empty and repeated texts. */
export function splitWords(text: string): readonly string[] {
  const words = [...text.matchAll(/\s*(?:"((?:[^"]|"")*)"\s*(?=,|$)|([^,]+))(?:,|$)|,/g)].map(
    ([, quoted, plain = ""]) => quoted?.replaceAll('""', '"') ?? plain.trim(),
  );
  return [...new Set(words.filter((word) => word.trim() !== ""))];
}

/** Explains to users how to enter such a list. */
export const WORD_LIST_HINT = 'Separated by commas. Put a comma of its own in quotation marks: "Portland, Oregon".';

/** Copies a text that is kept for long, because a slice keeps its whole source string in memory. */
export function ownText(text: string): string {
  return Buffer.from(text).toString();
}

/** A copy of a text that is kept for long: a piece of a string keeps the whole of that string in memory. */
export function ownText(text: string): string {
  return Buffer.from(text).toString();
}

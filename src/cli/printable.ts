/** A text of a stranger without what could steer the terminal or turn its direction. */
export function printable(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Bidi_Control}]+/gu, " ");
}

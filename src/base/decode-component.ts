/** A part of an address without percent-encoding; as it is where that is broken. */
export function decodeComponent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

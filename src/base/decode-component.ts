/** Decodes percent-encoding in a part of an address; returns it unchanged if the encoding is invalid. */
export function decodeComponent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A list of texts that is stored as JSON. */
export function parseTexts(json: string): readonly string[] {
  const texts: unknown = JSON.parse(json);
  return Array.isArray(texts) ? texts.filter((text) => typeof text === "string") : [];
}

/** Returns the canonical form of a language tag, such as `pt-BR`; `undefined` if it is invalid. */
export function canonicalLanguage(tag: string | undefined): string | undefined {
  try {
    return tag === undefined ? undefined : Intl.getCanonicalLocales(tag.trim())[0];
  } catch {
    return undefined;
  }
}

/** Formats the UTC day of a time in words: `March 12, 2026`, `12. März 2026`. */
export function createDayFormat(language: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(language, { dateStyle: "long", timeZone: "UTC" });
}

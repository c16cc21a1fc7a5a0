/** A language tag in its canonical form, such as `pt-BR`; `undefined` for what is none. */
export function canonicalLanguage(tag: string | undefined): string | undefined {
  try {
    return tag === undefined ? undefined : Intl.getCanonicalLocales(tag.trim())[0];
  } catch {
    return undefined;
  }
}

/** The day of a time in UTC, as people write it: `March 12, 2026`, `12. März 2026`. */
export function createDayFormat(language: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(language, { dateStyle: "long", timeZone: "UTC" });
}

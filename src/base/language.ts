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

export type Direction = "ltr" | "rtl";

const RIGHT_TO_LEFT = new Set(["Adlm", "Arab", "Hebr", "Mand", "Nkoo", "Rohg", "Samr", "Syrc", "Thaa"]);

/** Returns the direction of the script in which a language is usually written, by its canonical tag. */
export function directionOf(language: string | undefined): Direction {
  const script = language === undefined ? undefined : new Intl.Locale(language).maximize().script;
  return RIGHT_TO_LEFT.has(script ?? "") ? "rtl" : "ltr";
}

import { formatDay } from "../../base/language.ts";

/** How a blog writes dates and durations, and what marks the words that the service adds. */
export interface BlogWords {
  /** The language of the page. The service's own words are English, also where the language is not known. */
  readonly language: string;
  /** Attribute of an element that holds what the author wrote; empty where the language of the page is right for it. */
  readonly foreign: string;
  /** Attribute of an element that holds words of the service. */
  readonly own: string;
  formatDate(date: Date): string;
  /** How long a text takes to read. */
  formatMinutes(minutes: number): string;
}

/**
 * Words for a page in a language, as a canonical tag. `undefined`: nobody knows the language of the blog, so the page
 * is English and what the author wrote is marked as of no known language.
 */
export function createBlogWords(language: string | undefined): BlogWords {
  const isEnglish = language !== undefined && /^en\b/.test(language);
  const minutes = new Intl.NumberFormat(language ?? "en", { style: "unit", unit: "minute", unitDisplay: "short" });
  return {
    language: language ?? "en",
    foreign: language === undefined ? ' lang=""' : "",
    own: isEnglish ? "" : ' lang="en"',
    formatDate: (date) => formatDay(date, language ?? "en"),
    formatMinutes: (count) => `${minutes.format(count)}${isEnglish || language === undefined ? " read" : ""}`,
  };
}

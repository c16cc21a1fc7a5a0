import { createDayFormat } from "../../base/language.ts";

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

const MAX_LANGUAGES = 200;
// Making the formats takes longer than writing a page with them.
const known = new Map<string | undefined, BlogWords>();

/**
 * Words for a page in a language, as a canonical tag. `undefined`: nobody knows the language of the blog, so the page
 * is English and what the author wrote is marked as of no known language.
 */
export function findBlogWords(language: string | undefined): BlogWords {
  const words = known.get(language) ?? createBlogWords(language);
  if (known.size >= MAX_LANGUAGES) known.clear();
  known.set(language, words);
  return words;
}

function createBlogWords(language: string | undefined): BlogWords {
  const isEnglish = language !== undefined && /^en\b/.test(language);
  const days = createDayFormat(language ?? "en");
  const minutes = new Intl.NumberFormat(language ?? "en", { style: "unit", unit: "minute", unitDisplay: "short" });
  return {
    language: language ?? "en",
    foreign: language === undefined ? ' lang=""' : "",
    own: isEnglish ? "" : ' lang="en"',
    formatDate: (date) => days.format(date),
    formatMinutes: (count) => `${minutes.format(count)}${isEnglish || language === undefined ? " read" : ""}`,
  };
}

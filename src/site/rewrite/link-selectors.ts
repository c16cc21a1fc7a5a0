import type { Edit } from "../../html/edits.ts";
import type { Target } from "../address-book.ts";
import { findStart } from "./published-start.ts";
import type { TextContext } from "./text-context.ts";

// In a script, the quotes may be escaped.
const SELECTOR = /(?<=\[\s*href\s*=\s*(\\?["']))\/(?!\/)[^"'\\\]\s]*(?=\1\s*(?:[is]\s*)?\])/gi;
const START_SELECTOR = /\[\s*href\s*\^=\s*(\\?["'])(\/(?!\/)[^"'\\\]\s]+)\1\s*\]/gi;

/**
 * Points selectors of links to a page (`a[href="/about/"]`) or to those below a path (`a[href^="/blog/"]`) to where
 * these are published.
 */
export function rewriteLinkSelectors(
  { text, settings }: Pick<TextContext, "text" | "settings">,
  resolve: (address: string) => Target,
): readonly Edit[] {
  const whole = Array.from(text.matchAll(SELECTOR)).flatMap(({ index: start, 0: address }) => {
    const target = resolve(address);
    const slug = target.kind === "page" ? settings.slugs.get(target.page.route) : undefined;
    if (target.kind !== "page" || slug === undefined) return [];
    return [{ start, end: start + address.length, text: settings.pageHref(slug) + target.suffix }];
  });
  const starts = Array.from(text.matchAll(START_SELECTOR)).flatMap(
    ({ index, 0: found, 1: quote = "", 2: path = "" }) => {
      const start = findStart(path, settings)?.start;
      if (start === undefined) return [];
      const select = (sign: string, end = ""): string => `[href${sign}${quote}${start}${end}${quote}]`;
      const ends = ["-", "/", "#", "?"].map((end) => select("^=", end));
      const below = path.endsWith("/") ? `:is(${[select("="), ...ends].join(",")})` : select("^=");
      return [{ start: index, end: index + found.length, text: below }];
    },
  );
  return [...whole, ...starts];
}

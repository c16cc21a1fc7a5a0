import type { Edit } from "../../html/edits.ts";
import type { Target } from "../address-book.ts";
import type { TextContext } from "./text-context.ts";

// In a script, the quotes may be escaped.
const SELECTOR = /(?<=\[\s*href\s*=\s*(\\?["']))\/(?!\/)[^"'\\\]\s]*(?=\1\s*(?:[is]\s*)?\])/gi;

/** Points selectors of links to a page (`a[href="/about/"]`) to where the page is published. */
export function rewriteLinkSelectors(
  { text, settings }: Pick<TextContext, "text" | "settings">,
  resolve: (address: string) => Target,
): readonly Edit[] {
  return Array.from(text.matchAll(SELECTOR)).flatMap(({ index: start, 0: address }) => {
    const target = resolve(address);
    const slug = target.kind === "page" ? settings.slugs.get(target.page.route) : undefined;
    if (target.kind !== "page" || slug === undefined) return [];
    return [{ start, end: start + address.length, text: settings.pageHref(slug) + target.suffix }];
  });
}

/** The parts of a title that a site puts together, as in `Install | Acme Docs`. */
export function titleParts(title: string): readonly string[] {
  return title.split(/\s+[|–—·•:-]\s+/).map((part) => part.trim());
}

/**
 * The part of the home page's title that most titles of the site have.
 *
 * @param titles of all pages, the home page's included
 * @returns `undefined` when there is none, or no other page
 */
export function commonTitlePart(home: string, titles: readonly string[]): string | undefined {
  if (titles.length < 2) return undefined;
  const others = titles.map(titleParts);
  return titleParts(home).find((part) => 2 * others.filter((parts) => parts.includes(part)).length > titles.length);
}

/** Splits a composed title such as `Install | Acme Docs` into its parts. */
export function titleParts(title: string): readonly string[] {
  return title.split(/\s+[|–—·•:-]\s+/).map((part) => part.trim());
}

/**
 * Finds the part of the home page's title that most titles of the site share.
 *
 * @param titles of all pages, including the home page
 * @returns `undefined` if there is none, or no other page
 */
export function commonTitlePart(home: string, titles: readonly string[]): string | undefined {
  if (titles.length < 2) return undefined;
  const others = titles.map(titleParts);
  return titleParts(home).find((part) => 2 * others.filter((parts) => parts.includes(part)).length > titles.length);
}

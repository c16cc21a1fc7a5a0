// An id can't be part of a longer word by accident: it has 128 random bits. So wherever an asset's address stands in a
// document (attribute, style, script, JSON), its path is all there is to look for.
const ASSET_PATH = /\/library\/(as_[0-9A-Za-z]{22})\//g;

/** The ids of the library assets that a document names. */
export function findAssetIds(html: string): readonly string[] {
  const ids = new Set<string>();
  for (const [, id] of html.matchAll(ASSET_PATH)) {
    if (id !== undefined) ids.add(id);
  }
  return [...ids];
}

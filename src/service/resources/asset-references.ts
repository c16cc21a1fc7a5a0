// An id can't be part of a longer word by accident: it has 128 random bits. So wherever an asset's address stands in a
// text (attribute, style, script, JSON, Markdown), absolute or relative, its id is all there is to look for. Only its
// underscore is ever written otherwise: percent-encoded, as a character reference, or escaped in a script, style or
// Markdown.
const ASSET_ID =
  /as(?:_|%(?:25)*5[Ff]|&(?:amp;)*(?:#0*95|#[xX]0*5[fF]|lowbar);|\\+u005[fF]|\\+x5[fF]|\\0*5[fF] ?|\\+_)([0-9A-Za-z]{22})/g;

/** The ids of the library assets that texts name. */
export function findAssetIds(texts: readonly (string | null)[]): readonly string[] {
  const ids = new Set<string>();
  for (const text of texts) {
    for (const [, rest] of text?.matchAll(ASSET_ID) ?? []) ids.add(`as_${rest}`);
  }
  return [...ids];
}

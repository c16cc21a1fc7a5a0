const HASH_DIGITS = 16;
const ENDING = /^(.+)\.([A-Za-z0-9]+)$/s;
const NAME = /\.([0-9a-f]{16})(?:\.[a-z0-9]+)?$/;

/**
 * The name under which an asset is stored: the site's own name with the hash of what it was made from, by which a
 * later run recognises it. `hero.png`, `9f86…` → `hero.9f86d081884c7d65.png`.
 */
export function assetName(fileName: string, hash: string): string {
  const [, stem = fileName, ending] = ENDING.exec(fileName) ?? [];
  const readable = stem
    .replace(/[^A-Za-z0-9_-]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 80);
  const parts = [readable === "" ? "file" : readable, hash.slice(0, HASH_DIGITS)];
  return [...parts, ...(ending === undefined ? [] : [ending.toLowerCase()])].join(".");
}

/** The first 16 digits of the hash in an asset's name; `undefined` when the name is not one of ours. */
export function assetHashPrefix(name: string): string | undefined {
  return NAME.exec(name)?.[1];
}

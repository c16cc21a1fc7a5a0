const HASH_DIGITS = 16;
const ENDING = /^(.+)\.([A-Za-z0-9]+)$/s;
const NAME = /(?:\.([0-9a-z]{4,32}))?\.([0-9a-f]{16})(?:\.[a-z0-9]+)?$/;

/** The parts of the name of a file that imprint uploaded to the library. */
export interface AssetIdentity {
  /** The first 16 digits of the hash of the file's source. */
  readonly prefix: string;
  /** ID of the project that uploaded it; `undefined` for version 0.1. */
  readonly project: string | undefined;
}

/**
 * Returns the name under which an asset is stored: the site's own name with the project and the hash of its source, by
 * which a later run recognizes it. `hero.png`, `k3v9x2ab`, `9f86…` → `hero.k3v9x2ab.9f86d081884c7d65.png`.
 */
export function assetName(fileName: string, { hash, project }: { readonly hash: string; readonly project: string }) {
  const [, stem = fileName, ending] = ENDING.exec(fileName) ?? [];
  const readable = stem
    .replace(/[^A-Za-z0-9_-]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 80);
  const parts = [readable === "" ? "file" : readable, project, hash.slice(0, HASH_DIGITS)];
  return [...parts, ...(ending === undefined ? [] : [ending.toLowerCase()])].join(".");
}

/** Parses a file's name; returns `undefined` if it isn't one of ours. */
export function parseAssetName(name: string): AssetIdentity | undefined {
  const [, project, prefix] = NAME.exec(name) ?? [];
  return prefix === undefined ? undefined : { prefix, project };
}

/** Parses the name of a stored file; where a library shows none, its address may end with it. */
export function identifyAsset({ name, url = "" }: { readonly name?: string; readonly url?: string }) {
  return parseAssetName(name ?? url.replace(/[?#].*/s, ""));
}

/** Returns the name that a file has in the site. */
export function siteNameOf(name: string): string {
  const { project, prefix } = parseAssetName(name) ?? {};
  if (prefix === undefined) return name;
  return name.replace(`${project === undefined ? "" : `.${project}`}.${prefix}`, "");
}

/** Returns the first 16 digits of the hash in an asset's name; `undefined` if the name isn't one of ours. */
export function assetHashPrefix(name: string): string | undefined {
  return parseAssetName(name)?.prefix;
}

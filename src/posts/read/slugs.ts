import { posix } from "node:path";
import { slug as githubSlug } from "github-slugger";
import { sha256 } from "../../base/hash.ts";
import { MAX_SLUG_LENGTH } from "../../contract/slug.ts";

const HASH_DIGITS = 8;

/**
 * The id that Astro's glob loader assigns to a content file, from its path below the collection's folder: every segment
 * slugged like a GitHub heading, without the extension and a final `index`.
 */
export function contentIdOf(path: string): string {
  const parts = path.replace(/\.[^./]+$/, "").split("/");
  return parts
    .map((part) => githubSlug(part))
    .join("/")
    .replace(/\/index$/, "");
}

/** The path of a file below a folder, both relative to the project; `undefined` for a file elsewhere. */
export function pathBelow(folder: string, file: string): string | undefined {
  const start = posix.join(folder.replaceAll("\\", "/"), "/");
  return file.startsWith(start) ? file.slice(start.length) : undefined;
}

/** The slug derived from a file name below the posts folder. */
export function slugOfFile(file: string, folder: string): string {
  return foldSlug(contentIdOf(pathBelow(folder, file) ?? file));
}

/**
 * Converts a content id or the author's own slug to one that the service accepts. If letters are lost or the text is
 * too long, a hash of the whole text is appended to keep different texts distinct.
 */
export function foldSlug(text: string): string {
  const normal = text.normalize("NFC").toLowerCase();
  const plain = normal
    .normalize("NFKD")
    .replaceAll(/\p{Mark}/gu, "")
    .replaceAll("ß", "ss");
  const folded = plain.replaceAll(/[^a-z0-9]+/g, "-").replaceAll(/^-+|-+$/g, "");
  const isLossy = /(?=\P{ASCII})[\p{L}\p{N}]/u.test(plain) || folded === "";
  if (!isLossy && folded.length <= MAX_SLUG_LENGTH) return folded;
  const hash = sha256(normal).slice(0, HASH_DIGITS);
  const room = MAX_SLUG_LENGTH - HASH_DIGITS - 1;
  return [folded.slice(0, room).replace(/-+$/, ""), hash].filter((part) => part !== "").join("-");
}

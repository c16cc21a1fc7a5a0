import { ImprintError } from "../base/error.ts";
import { sha256 } from "../base/hash.ts";
import type { State } from "./state.ts";
import { findPreviewName, foldWords, MAX_SLUG_LENGTH, previewCheck } from "../contract/slug.ts";

// Creates the names and slugs of previews; `findPreviewName` of the contract parses them.
const PREFIX = "preview-";
const SEPARATOR = "--";
const MAX_NAME_LENGTH = 40;
const HASH_DIGITS = 8;

/**
 * Converts a person's or a CI's name for a preview: `pr-12`, or a branch such as `feature/Über uns`. If more than
 * separators is lost, the name ends in eight digits of the text's hash.
 *
 * @throws ImprintError `USAGE` for an empty text, since an empty CI variable must not publish the live site, and for a
 * flag, which `--preview` without a name takes as its value
 */
export function parsePreviewName(text: string): string {
  const folded = foldWords(text);
  const hint = "Name it after what it shows, such as `--preview pr-12`.";
  if (text.trim() === "") throw new ImprintError("USAGE", "The name of the preview is empty.", { hint });
  if (text.startsWith("--")) throw new ImprintError("USAGE", `${text} is a flag, not the name of a preview.`, { hint });
  const isExact = folded === text.replace(/[/_.-]+/g, "-") && folded.length <= MAX_NAME_LENGTH;
  return isExact ? folded : withHash(folded, { text, maxLength: MAX_NAME_LENGTH });
}

/** A host's rules for slugs, if they are known to be stricter than our own service's. */
export interface SlugRules {
  readonly maxLength?: number | undefined;
  /** Set if it doesn't accept two hyphens in a row. */
  readonly hyphens?: "single" | undefined;
}

/** Returns the slug of a page in a preview. */
export function previewSlug(name: string, slug: string, { maxLength = MAX_SLUG_LENGTH, hyphens }: SlugRules = {}) {
  const whole = PREFIX + name + (hyphens === undefined ? SEPARATOR : `-${previewCheck(name)}-`) + slug;
  if (whole.length <= maxLength) return whole;
  // Names that begin the same must not share slugs.
  const isNameCut = PREFIX.length + name.length + HASH_DIGITS + 1 > maxLength;
  return withHash(whole, { text: isNameCut ? whole : slug, maxLength });
}

/**
 * Whether a slug may be a preview's that the host changed beyond recognition, or that has no room for the name; with
 * `name`, of that preview.
 */
export function isDoubtful(slug: string, name?: string): boolean {
  const plain = slug.replaceAll("_", "-");
  if (!plain.startsWith(PREFIX) || findPreviewName(slug) !== undefined) return false;
  const start = `${PREFIX}${name ?? ""}-`;
  return (
    name === undefined ||
    plain.startsWith(start) ||
    (isShortened(plain) && start.startsWith(plain.slice(0, -HASH_DIGITS - 1)))
  );
}

/** Whether a slug ends like one that was shortened. */
export function isShortened(slug: string): boolean {
  return /[-_][0-9a-f]{8}$/.test(slug);
}

/** A preview, and what is known of its pages. */
export interface KnownPreview {
  readonly name: string;
  /** The memory of that preview. */
  readonly state: Pick<State, "pages">;
  /** Slugs of the live site. */
  readonly live: Iterable<string>;
}

/**
 * Whether a slug belongs to a preview, by its name, by the memory of that preview, or as the shortened slug of a live
 * page: at a host that accepts short slugs only, there is no room for the name.
 */
export function isOfPreview(slug: string, { name, state, live }: KnownPreview): boolean {
  if (findPreviewName(slug) === name) return true;
  return isDoubtful(slug) && (state.pages[slug] !== undefined || isPreviewOfAny(slug, { name, pages: live }));
}

/** Whether this is the slug of one of these live pages in a preview, under any host's rules. */
export function isPreviewOfAny(
  slug: string,
  { name, pages }: { readonly name: string; readonly pages: Iterable<string> },
): boolean {
  return isDoubtful(slug, name) && [...pages].some((page) => isPreviewOf(slug, { name, page }));
}

/** Returns the slug of the live page that a slug of the preview with this name was created from. */
export function livePage(slug: string, name: string): string {
  const start = [previewSlug(name, ""), previewSlug(name, "", { hyphens: "single" })].find((each) =>
    slug.startsWith(each),
  );
  return slug.slice(start?.length ?? 0);
}

/** Whether this is the slug of a live page in a preview, under any host's rules. */
export function isPreviewOf(slug: string, { name, page }: { readonly name: string; readonly page: string }): boolean {
  const plain = slug.replaceAll("_", "-");
  return [{}, { hyphens: "single" } as const].some((rules) => {
    return plain === previewSlug(name, page, { ...rules, maxLength: plain.length });
  });
}

function withHash(
  readable: string,
  { text, maxLength }: { readonly text: string; readonly maxLength: number },
): string {
  const room = readable.slice(0, maxLength - HASH_DIGITS - 1).replace(/-+$/, "");
  const hash = sha256(text).slice(0, HASH_DIGITS);
  return room === "" ? hash : `${room}-${hash}`;
}

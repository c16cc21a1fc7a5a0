import { ImprintError } from "../base/error.ts";
import { sha256 } from "../base/hash.ts";
import { findPreviewName, foldWords, MAX_SLUG_LENGTH, previewCheck } from "../contract/slug.ts";

// How the names and the slugs of previews are made; `findPreviewName` of the contract reads them.
const PREFIX = "preview-";
const SEPARATOR = "--";
const MAX_NAME_LENGTH = 40;
const HASH_DIGITS = 8;

/**
 * The name of a preview from what a person or a CI calls it: `pr-12`, or a branch such as `feature/Über uns`. Where
 * more than separators is lost on the way, the name ends in eight digits of the text's hash.
 *
 * @throws ImprintError `USAGE` for a text without letters and digits: an empty variable of a CI must not become a live
 * publish
 */
export function parsePreviewName(text: string): string {
  const folded = foldWords(text);
  if (text.trim() === "") {
    throw new ImprintError("USAGE", "The name of the preview is empty.", {
      hint: "Name it after what it shows, such as `--preview pr-12`.",
    });
  }
  const isExact = folded === text.replace(/[/_.-]+/g, "-") && folded.length <= MAX_NAME_LENGTH;
  return isExact ? folded : withHash(folded, { text, maxLength: MAX_NAME_LENGTH });
}

/** What a host takes for a slug, where it is known to take less than our own service. */
export interface SlugRules {
  readonly maxLength?: number | undefined;
  /** Whether it takes no two hyphens in a row. */
  readonly hyphens?: "single" | undefined;
}

/** The slug under which a preview shows a page. */
export function previewSlug(name: string, slug: string, { maxLength = MAX_SLUG_LENGTH, hyphens }: SlugRules = {}) {
  const whole = PREFIX + name + (hyphens === undefined ? SEPARATOR : `-${previewCheck(name)}-`) + slug;
  return whole.length <= maxLength ? whole : withHash(whole, { text: slug, maxLength });
}

/** Whether a slug may be one that a host made of a preview's, and does not show of which; `name`: of this one. */
export function isDoubtful(slug: string, name?: string): boolean {
  const start = name === undefined ? PREFIX : `${PREFIX}${name}-`;
  return slug.replaceAll("_", "-").startsWith(start) && findPreviewName(slug) === undefined;
}

/** Whether a preview shows a page of the live site under this slug, whatever its host takes for one. */
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

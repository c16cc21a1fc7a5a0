import { createHash } from "node:crypto";

/** Longest slug that our service accepts, in characters. */
export const MAX_SLUG_LENGTH = 96;

/**
 * The slugs that our service accepts: lowercase letters and digits in groups joined by one or two hyphens. The
 * specification defines no slug syntax, so this is the strictest form, which should be valid on any host.
 */
export const SLUG_PATTERN = /^(?=.{1,96}$)[a-z0-9]+(?:-{1,2}[a-z0-9]+)*$/;

export function isSlug(text: string): boolean {
  return SLUG_PATTERN.test(text);
}

// How a page's route becomes its slug. The publisher names pages with it, and the service uses it to find the page for
// an address on a custom domain.

/** Slug of the page at `/`. */
export const HOME_SLUG = "index";

const HASH_DIGITS = 8;

/** Normalizes a route (`about`, `/about`, `/about/`) to the form in which routes are stored. */
export function normalizeRoute(route: string): string {
  const path = route.replace(/^\/+|\/+$/g, "");
  return path === "" ? "/" : `/${path.normalize("NFC")}/`;
}

export interface FoldedRoute {
  readonly slug: string;
  /** Nothing was lost: no other route with the same letters folds to this slug, except for `/` and `-`. */
  readonly isExact: boolean;
}

/** `Über uns` → `uber-uns`: lowercase letters and digits in groups joined by hyphens; empty if there are none. */
export function foldWords(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/\p{Mark}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
}

/** `/blog/first/` → `blog-first`. */
export function foldRoute(route: string): FoldedRoute {
  const path = route.replace(/^\/|\/$/g, "");
  const slug = foldWords(path);
  return { slug, isExact: slug === path.replaceAll("/", "-") && slug !== HOME_SLUG && isSlug(slug) };
}

/** Makes a slug unique, after a collision or a lossy conversion, by appending eight digits of the route's hash. */
export function hashedSlug(slug: string, route: string, maxLength = MAX_SLUG_LENGTH): string {
  const hash = createHash("sha256").update(route).digest("hex").slice(0, HASH_DIGITS);
  const room = slug.slice(0, Math.max(0, maxLength - HASH_DIGITS - 1)).replace(/-$/, "");
  return room === "" ? hash : `${room}-${hash}`;
}

// The pages of a preview are published beside the live ones, under slugs with its name: `preview-pr-12--about`. Neither
// slugs from routes nor names of previews contain two hyphens in a row, so the first two hyphens mark the end of the
// name, and a preview can be recognized from the list of pages alone.
export const PREVIEW_SLUG = /^preview-([a-z0-9]+(?:-[a-z0-9]+)*)--[a-z0-9]/;

// If a host doesn't accept two hyphens in a row, digits of its hash mark the name's end: `preview-pr-12-9c0f3b-about`.
const PREVIEW_CHECK = /-([0-9a-f]{6})(?=-[a-z0-9])/g;

/** Returns the name of the preview that a slug belongs to; `undefined` for a page of a live site. */
export function findPreviewName(slug: string): string | undefined {
  const plain = slug.replaceAll("_", "-");
  const named = PREVIEW_SLUG.exec(plain)?.[1];
  if (named !== undefined || !plain.startsWith("preview-")) return named;
  const names = [...plain.matchAll(PREVIEW_CHECK)].map(({ index }) => plain.slice("preview-".length, index));
  return names.find((name) => plain.startsWith(`preview-${name}-${previewCheck(name)}-`));
}

/** Returns the digits that mark the end of a preview's name if a host doesn't accept two hyphens in a row. */
export function previewCheck(name: string): string {
  return createHash("sha256").update(name).digest("hex").slice(0, 6);
}

/** Writes each separator of a slug as one hyphen: a host that stops accepting hyphens changes all slugs itself. */
export function foldSeparators(slug: string): string {
  return slug.replace(/[-_]+/g, "-");
}

import { createHash } from "node:crypto";

/** Longest slug our service takes, in characters. */
export const MAX_SLUG_LENGTH = 96;

/**
 * The slugs our service takes: lower-case letters and digits in groups joined by one or two hyphens. The
 * specification shows no slug grammar, so this is the strictest form that surely fits any host.
 */
export const SLUG_PATTERN = /^(?=.{1,96}$)[a-z0-9]+(?:-{1,2}[a-z0-9]+)*$/;

export function isSlug(text: string): boolean {
  return SLUG_PATTERN.test(text);
}

// How a page's route becomes its slug. The publisher names pages by it, and the service finds by it the page for an
// address on a custom domain.

/** Slug of the page at `/`. */
export const HOME_SLUG = "index";

const HASH_DIGITS = 8;

/** Brings a route as people write it (`about`, `/about`, `/about/`) into the form in which routes are kept. */
export function normalizeRoute(route: string): string {
  const path = route.replace(/^\/+|\/+$/g, "");
  return path === "" ? "/" : `/${path.normalize("NFC")}/`;
}

export interface FoldedRoute {
  readonly slug: string;
  /** Nothing was lost: no other route of the same letters folds to this slug, except where `/` and `-` meet. */
  readonly isExact: boolean;
}

/** `Über uns` → `uber-uns`: lower-case letters and digits in groups joined by hyphens; empty where there are none. */
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

/** The slug of a route that meets another, or that lost something: it ends in eight digits of the route's hash. */
export function hashedSlug(slug: string, route: string, maxLength = MAX_SLUG_LENGTH): string {
  const hash = createHash("sha256").update(route).digest("hex").slice(0, HASH_DIGITS);
  const room = slug.slice(0, Math.max(0, maxLength - HASH_DIGITS - 1)).replace(/-$/, "");
  return room === "" ? hash : `${room}-${hash}`;
}

// The pages of a preview stand beside the live ones, under slugs that name the preview: `preview-pr-12--about`. No slug
// that is made from a route has two hyphens, and neither has the name of a preview, so the first two hyphens show where
// the name ends and a preview can be recognised by the list of pages alone.
export const PREVIEW_SLUG = /^preview-([a-z0-9]+(?:-[a-z0-9]+)*)--[a-z0-9]/;

// Where a host doesn't take two hyphens in a row, digits of its hash show where the name ends: `preview-pr-12-9c0f3b-about`.
const PREVIEW_CHECK = /-([0-9a-f]{6})(?=-[a-z0-9])/g;

/** The name of the preview that a slug belongs to; `undefined` for a page of a live site. */
export function findPreviewName(slug: string): string | undefined {
  const plain = slug.replaceAll("_", "-");
  const named = PREVIEW_SLUG.exec(plain)?.[1];
  if (named !== undefined || !plain.startsWith("preview-")) return named;
  const names = [...plain.matchAll(PREVIEW_CHECK)].map(({ index }) => plain.slice("preview-".length, index));
  return names.find((name) => plain.startsWith(`preview-${name}-${previewCheck(name)}-`));
}

/** The digits that end the name of a preview where a host takes no two hyphens in a row. */
export function previewCheck(name: string): string {
  return createHash("sha256").update(name).digest("hex").slice(0, 6);
}

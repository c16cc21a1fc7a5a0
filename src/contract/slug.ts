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

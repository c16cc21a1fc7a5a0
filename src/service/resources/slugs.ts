import { isSlug, MAX_SLUG_LENGTH } from "../../contract/slug.ts";
import { ProblemError } from "../http/problem.ts";

/** Takes a slug as it is, or throws `invalid_slug` that names it. */
export function checkSlug(slug: string, pointer: string): string {
  if (isSlug(slug)) return slug;
  const shown = slug.length > MAX_SLUG_LENGTH ? `${slug.slice(0, MAX_SLUG_LENGTH)}…` : slug;
  throw new ProblemError("invalid_slug", {
    detail: `The slug ${JSON.stringify(shown)} is not valid: use lower-case letters and digits in groups joined by one or two hyphens, at most ${MAX_SLUG_LENGTH} characters.`,
    errors: [{ pointer, detail: "is not a valid slug" }],
  });
}

/** A slug made of a name; `fallback` when the name has no letter or digit that a slug can hold. */
export function slugFrom(name: string, fallback: string): string {
  const slug = name
    .normalize("NFKD")
    .replaceAll(/\p{Mark}/gu, "")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .slice(0, MAX_SLUG_LENGTH)
    .replaceAll(/^-+|-+$/g, "");
  return isSlug(slug) ? slug : fallback;
}

export type DifferenceKind =
  | "page-missing"
  | "page-differs"
  | "page-extra"
  | "link"
  | "file"
  | "script"
  | "form"
  | "post-missing"
  | "post-twice"
  | "post-differs"
  | "post-file"
  | "post-link"
  | "draft"
  | "foreign"
  | "asset-twice"
  | "record-twice";

/** One difference between what is live and what was built. */
export interface Difference {
  readonly kind: DifferenceKind;
  /** Route of a page, slug of a post, or name of a file. */
  readonly about: string;
  readonly what: string;
  /** A message that matches one of these reports the difference. */
  readonly names: readonly RegExp[];
}

/** Returns possible names of a route's page: route, slug, or the start of a truncated slug. */
export function namesOfRoute(route: string): readonly RegExp[] {
  const parts = route.split("/").filter((part) => part !== "");
  if (parts.length === 0) return [/\bindex\b/i, /\bhome\b/i, /(?:^|[\s"'`(])\/(?=$|[\s"'`,.:;)])/];
  const cut = parts.map((part) => part.slice(0, 18).split("-").join("[-_]?"));
  return [new RegExp(cut.join("[^a-z0-9]{1,3}"), "i")];
}

export function namesOfText(...texts: readonly string[]): readonly RegExp[] {
  return texts
    .filter((text) => text !== "")
    .map((text) => new RegExp(text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"), "i"));
}

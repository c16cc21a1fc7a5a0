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

/** One thing that is live in another way than it was built. */
export interface Difference {
  readonly kind: DifferenceKind;
  /** Route of a page, slug of a post, or name of a file. */
  readonly about: string;
  readonly what: string;
  /** Whoever names one of these has named the difference. */
  readonly names: readonly RegExp[];
}

/** What people and programs may call the page of a route: by route, slug, or the start of a cut slug. */
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

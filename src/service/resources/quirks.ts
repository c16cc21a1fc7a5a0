/** What a service may do with a POST of a post whose slug is taken by another content. */
export type RepeatedPost = "reject" | "upsert" | "suffix" | "duplicate";

/** How a service may cut its lists: with cursors, not at all, or silently after the first 50. */
export type ListPaging = "paged" | "unpaged" | "cut";

/**
 * Ways in which another implementation of the specification may behave, for tests of a client that has to be safe
 * against all of them. The defaults are how this service behaves.
 */
export interface Quirks {
  readonly repeatedPost: RepeatedPost;
  /** How long a new record is missing from lists, in milliseconds. */
  readonly listLagMs: number;
  readonly lists: ListPaging;
  /** `opaque`: library files are served as `application/octet-stream` and without CORS. */
  readonly libraryHeaders: "typed" | "opaque";
  /** `cleaned`: hidden elements and `data-` attributes are taken out of the HTML of posts, as sanitizers do. */
  readonly postHtml: "kept" | "cleaned";
  /** `ignored`: a repeated request with the same `Idempotency-Key` is carried out again. */
  readonly idempotencyKeys: "kept" | "ignored";
}

export const NO_QUIRKS: Quirks = {
  repeatedPost: "reject",
  listLagMs: 0,
  lists: "paged",
  libraryHeaders: "typed",
  postHtml: "kept",
  idempotencyKeys: "kept",
};

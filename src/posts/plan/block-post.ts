import type { SitePost } from "../../site/model.ts";
import type { BlockedState, PostChange } from "./changes.ts";
import type { RemotePost } from "../identity/identity.ts";

/** Why a post is not sent, and what its author can do. */
export interface Block {
  readonly state: BlockedState;
  readonly reason: string;
  readonly hint?: string;
  readonly places: readonly string[];
}

export function block(
  { slug, file }: SitePost,
  { state, reason, hint, places }: Block,
): Extract<PostChange, { kind: "blocked" }> {
  return { kind: "blocked", state, name: slug, file, reason, places, ...(hint === undefined ? {} : { hint }) };
}

/** Where a post of the blog is, for people. */
export function placeOf({ record }: RemotePost): string {
  const { id, url } = record;
  if (id === undefined || url === undefined) return url ?? id ?? record.slug ?? "a post without an address";
  return `${url} (${id})`;
}

/** A title as the end of a sentence. */
export function titleOf(title: string | undefined): string {
  return title === undefined ? "" : `, "${title}"`;
}

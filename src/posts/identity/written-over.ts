// A host may write a new post over another one of its blog, and respond as if it had created one.
import { foldWords } from "../../contract/slug.ts";
import type { Learned, PostLedger, WrittenOver } from "../memory/ledger.ts";
import { isSamePost, isSameTitle, keyOf, type RemotePost } from "./identity.ts";

interface Named {
  readonly slug?: string | undefined;
  readonly title?: string | undefined;
}

type Likeness = NonNullable<Learned["newPostOver"]>;

/** Returns what a new post has in common with one over which the service wrote it. */
export function findLikeness(post: Named, held: Named): Likeness {
  return (["title", "slug"] as const).find((likeness) => isAlike(post, held, likeness)) ?? "any";
}

/** Whether two posts have in common what makes a service write one over the other. */
export function isAlike(post: Named, held: Named, likeness: Likeness): boolean {
  if (likeness === "any") return true;
  const heldSlug = foldWords(held.slug ?? "");
  if (likeness === "slug") return heldSlug !== "" && foldWords(post.slug ?? "").startsWith(heldSlug);
  const words = foldWords(post.title ?? "");
  const isNamed = words !== "" && [heldSlug, foldWords(held.title ?? "")].includes(words);
  return isNamed || (held.title !== undefined && isSameTitle(post.title, held.title));
}

/** Whether a listed post isn't ours, although the service wrote a new one of ours over it. */
export function isWrittenOver(remote: RemotePost, { writtenOver = new Map(), entries }: PostLedger): boolean {
  const isOurs = () => [...entries].some(([slug, entry]) => isSamePost(remote.record, { slug, entry }));
  return [...writtenOver.values()].some((over) => isSameRecord(remote, over)) && !isOurs();
}

/** Whether a post of ours has become a new one, which the service wrote over it. */
export function isReplacedByNew(
  { slug }: { readonly slug: string },
  { writtenOver = new Map(), entries }: PostLedger,
): boolean {
  const entry = entries.get(slug);
  return entry !== undefined && [...writtenOver.values()].some((over) => isSamePost(over, { slug, entry }));
}

/** Finds the post over which the service wrote a new one, as it is listed now. */
export function findWrittenOver(over: WrittenOver, posts: readonly RemotePost[]): RemotePost | undefined {
  return posts.find((remote) => isSameRecord(remote, over));
}

function isSameRecord(remote: RemotePost, over: WrittenOver): boolean {
  return keyOf(remote) === keyOf({ record: over });
}

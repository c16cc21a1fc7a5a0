// A host may write a post that is sent again over another one of the blog, and respond as if nothing had happened.
import type { SitePost } from "../post.ts";
import { isSamePost, isSameTitle, keyOf, type RemotePost } from "../identity/identity.ts";
import type { KnownPosts } from "../identity/known-posts.ts";
import { markedSource } from "../identity/marker.ts";
import type { PostEntry } from "../memory/ledger.ts";
import { overwrittenPart, placeOf } from "../plan/block-post.ts";
import type { PostsContext } from "./session.ts";

interface Sent {
  readonly post: SitePost;
  /** As it was before. */
  readonly entry: PostEntry;
  /** The id in the answer. */
  readonly id: string | undefined;
  readonly before: KnownPosts;
}

/** Finds the posts of the blog that became the version of another one that was sent. */
export function findOverwritten({ post, entry, id, before }: Sent, known: KnownPosts): readonly RemotePost[] {
  const source = markedSource(post.sourceHash);
  const were = new Map(before.posts.map((remote) => [keyOf(remote), remote]));
  return known.posts.filter((remote) => {
    const was = were.get(keyOf(remote));
    if (was === undefined || isSamePost(remote.record, { slug: post.slug, entry })) return false;
    if (id !== undefined && remote.record.id === id) return true;
    if (remote.marker !== undefined) return remote.marker.source === source && was.marker?.source !== source;
    return isSameTitle(remote.record.title, post.title) && !isSameTitle(was.record.title, post.title);
  });
}

/** Remembers what became of posts, so that each run reports them. Returns those that are ours, by slug. */
export async function rememberOverwritten(
  overwritten: readonly RemotePost[],
  { post, context: { repository } }: { readonly post: SitePost; readonly context: Pick<PostsContext, "repository"> },
): Promise<readonly string[]> {
  const entries = [...repository.ledger.entries].filter(
    ([slug, entry]) => slug !== post.slug && overwritten.some(({ record }) => isSamePost(record, { slug, entry })),
  );
  const lacks = [overwrittenPart(post.slug)];
  await repository.record(new Map(entries.map(([slug, entry]) => [slug, { ...entry, lacks }])));
  return entries.map(([slug]) => slug);
}

export function describeOverwritten(overwritten: readonly RemotePost[]): string {
  return `the service wrote it over another post: ${overwritten.map(placeOf).join(", ")}`;
}

// A host may write a new post over another one of its blog, and respond as if it had created one.
import type { Post } from "../../client/api.ts";
import { isSamePost, isSameTitle, keyOf, type RemotePost } from "../identity/identity.ts";
import type { KnownPosts } from "../identity/known-posts.ts";
import { findPostMarker, postUid } from "../identity/marker.ts";
import type { SitePost } from "../post.ts";
import type { PostsContext, PostsSession } from "./session.ts";

/** The post over which a new one was written, as it was before. */
export interface CreatedOver {
  readonly was: RemotePost;
  /** Slug of the local post whose published version it was. */
  readonly ours: string | undefined;
}

/** How long to wait for a list that shows what became of the post in the answer. */
const SHOWN_WITHIN_MS = 15_000;

interface CreatedContext extends PostsContext {
  readonly session: PostsSession;
}

/**
 * Returns the post over which the service wrote a new one: the response identifies it, and the list, read before,
 * already showed it, or an earlier response identified it. `elsewhere` if the list then shows that it is unchanged, or
 * that the new one is beside it; `undefined` if the response identifies no such post.
 */
export async function findCreatedOver(
  post: SitePost,
  answer: Post,
  { session, repository, wanted }: CreatedContext,
): Promise<CreatedOver | "elsewhere" | undefined> {
  if (answer.replayed === true) return undefined;
  const before = session.known;
  const { entries, fresh } = repository.ledger;
  const isAnswered = ({ id, url }: Post) =>
    id !== undefined && answer.id !== undefined ? id === answer.id : url !== undefined && url === answer.url;
  const listed = before.posts.find(({ record }) => isAnswered(record));
  const ours = [...entries].find(
    ([slug, { id, url }]) =>
      slug !== post.slug && isAnswered({ id, url }) && (listed !== undefined || fresh?.has(slug) === true),
  )?.[0];
  const was = listed ?? recordOf(ours, { entries, wanted });
  if (was === undefined) return undefined;
  const uid = postUid({ collection: wanted.collection, slug: post.slug });
  const sent = { post, uid, before, was, entries };
  const judged = (known: KnownPosts) => judge(known, sent);
  await session.awaitList((known) => ["over", "elsewhere"].includes(judged(known)), SHOWN_WITHIN_MS);
  return ["over", "unclear"].includes(judged(session.known)) ? { was, ours } : "elsewhere";
}

function recordOf(
  slug: string | undefined,
  { entries, wanted }: Pick<KnownPosts["ledger"], "entries"> & Pick<PostsContext, "wanted">,
): RemotePost | undefined {
  const entry = entries.get(slug ?? "");
  if (slug === undefined || entry === undefined) return undefined;
  const title = wanted.posts.find((each) => each.slug === slug)?.title;
  const { id, url, remoteSlug = slug } = entry;
  return { record: { id, url, slug: remoteSlug, title }, marker: undefined };
}

interface SentOver {
  readonly post: SitePost;
  readonly uid: string;
  readonly before: KnownPosts;
  readonly was: RemotePost;
  readonly entries: KnownPosts["ledger"]["entries"];
}

function judge(
  { posts }: KnownPosts,
  { post, uid, before, was, entries }: SentOver,
): "over" | "elsewhere" | "unchanged" | "unclear" {
  const earlier = new Set([was, ...before.posts].map(keyOf));
  const isOwn = ({ record }: RemotePost) =>
    [...entries].some(([slug, entry]) => slug !== post.slug && isSamePost(record, { slug, entry }));
  const isNew = (remote: RemotePost) =>
    !earlier.has(keyOf(remote)) && !isOwn(remote) && isSameTitle(remote.record.title, post.title);
  if (posts.some(isNew)) return "elsewhere";
  const now = posts.find((remote) => keyOf(remote) === keyOf(was))?.record;
  if (now === undefined) return "unclear";
  // A body that was read before isn't what the post has now.
  const marker = now.html === undefined ? undefined : findPostMarker(now.html);
  if (marker?.uid === uid) return "over";
  const { html, title } = was.record;
  const hasTitle = title !== undefined && isSameTitle(now.title, title);
  if (html !== undefined && now.html !== undefined) return hasTitle && now.html === html ? "unchanged" : "over";
  if (title === undefined || isSameTitle(title, post.title)) return "unclear";
  return hasTitle ? "unchanged" : "over";
}

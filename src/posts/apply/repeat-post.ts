import type { SitePost } from "../post.ts";
import { isSamePost, isSameTitle, type RemotePost } from "../identity/identity.ts";
import { isSameText } from "../identity/resemblance.ts";
import type { KnownPosts } from "../identity/known-posts.ts";
import type { PostEntry } from "../memory/ledger.ts";
import { markedSource } from "../identity/marker.ts";
import type { PostsContext } from "./session.ts";
import { messageOf } from "../../base/error.ts";
import { listNames } from "../../base/list-names.ts";
import { titlePart } from "../plan/block-post.ts";
import { filesOf } from "../identity/found-post.ts";
import { sentVersionOf, shownHashOf } from "../identity/fingerprint.ts";

/** Result of sending a post again under its existing slug. */
export type Repeated =
  /** The service accepted it; the id may show whether it changed the post or created another. */
  | {
      readonly kind: "taken";
      readonly id: string | undefined;
      readonly url: string | undefined;
      readonly contentHash: string | undefined;
      readonly entry: PostEntry;
      /** Whether the response has another title than the one that was sent. */
      readonly hasOtherTitle: boolean;
    }
  | { readonly kind: "refused" | "unknown"; readonly reason: string; readonly error: unknown };

export type Taken = Extract<Repeated, { kind: "taken" }>;

/**
 * Sends an existing post again. Only for services known to update the post this way, or to find out whether they do.
 */
export async function repeatPost(
  post: SitePost,
  { entry, context }: { readonly entry: PostEntry; readonly context: PostsContext },
): Promise<Repeated> {
  const { api, blogId } = context;
  const slug = entry.remoteSlug ?? post.slug;
  const body = { ...(await context.payload(post)), slug };
  try {
    const { id, url, title, contentHash } = await api.posts.create(blogId, body, { idempotencyKey: context.newKey() });
    const sent: PostEntry = {
      ...entry,
      ...(id !== undefined && { id }),
      contentHash,
      shown: undefined,
      file: post.file,
      ...sentVersionOf(post),
      ...filesOf(post, context.addressOf),
      state: "confirmed",
    };
    const hasOtherTitle = title !== undefined && !isSameTitle(title, post.title);
    return { kind: "taken", id, url, contentHash, entry: sent, hasOtherTitle };
  } catch (error) {
    const { outcome, status } = context.readFailure(error);
    const isRefused = outcome === "refused" || status === 409;
    return { kind: isRefused ? "refused" : "unknown", reason: messageOf(error), error };
  }
}

/** A post that was sent again, in the list. */
export function findPost({ posts }: KnownPosts, entry: PostEntry, { slug }: SitePost): RemotePost | undefined {
  return posts.find(({ record }) => isSamePost(record, { slug, entry }));
}

export function hasOtherId(sent: Taken, { id }: PostEntry): boolean {
  return sent.id !== undefined && id !== undefined && sent.id !== id;
}

/** Whether a post that got another id took the place of the one with the former id. */
export function isReplacedIn(known: KnownPosts, { id }: PostEntry): boolean {
  return !known.posts.some(({ record }) => record.id === id);
}

interface SentAgain {
  readonly post: SitePost;
  /** With the id that it has now. */
  readonly entry: PostEntry;
  /** The post in the list before. */
  readonly before: RemotePost | undefined;
}

/** Returns what the list still shows as before of a post that was sent again. */
export function findOldParts({ post, entry, before }: SentAgain, known: KnownPosts): readonly ("title" | "text")[] {
  const now = findPost(known, entry, post);
  if (now === undefined || before === undefined) return [];
  const { title } = now.record;
  const hasOldTitle = title !== undefined && !isSameTitle(title, post.title) && isSameTitle(title, before.record.title);
  const isOldText =
    now.marker === undefined
      ? now.html !== undefined && now.html === before.html && !isSameText(post.html, now.html)
      : now.marker.source !== markedSource(post.sourceHash);
  return [...(hasOldTitle ? (["title"] as const) : []), ...(isOldText ? (["text"] as const) : [])];
}

/**
 * Whether the list shows what became of a post that was sent again: all of it, or its title or text alone. A list that
 * shows one of them isn't late, so the other one doesn't come.
 */
export function isDecided(match: SentAgain, known: KnownPosts): boolean {
  const old = findOldParts(match, known);
  if (old.length !== 1) return old.length === 0;
  const { post, entry, before } = match;
  const now = findPost(known, entry, post);
  const hasNewTitle = isSameTitle(now?.record.title, post.title) && !isSameTitle(before?.record.title, post.title);
  const hasNewText = now?.marker !== undefined || (now?.html !== undefined && isSameText(post.html, now.html));
  return old[0] === "text" ? hasNewTitle : hasNewText;
}

/** What the list shows of a post that was sent again. */
export interface Shown {
  readonly now: RemotePost | undefined;
  /** What it still shows as before. */
  readonly old: readonly ("title" | "text")[];
  /** What readers don't get of it, if the service changed only its text. */
  readonly lacks: string[] | undefined;
  /** What is remembered of it, with how the list shows it, so that later runs notice edits made there. */
  readonly entry: PostEntry;
}

export function readShown(match: SentAgain, known: KnownPosts): Shown {
  const now = findPost(known, match.entry, match.post);
  const old = findOldParts(match, known);
  const isOnlyTitle = old.length === 1 && old[0] === "title";
  const lacks = isOnlyTitle ? [titlePart({ instead: now?.record.title ?? "" })] : undefined;
  return { now, old, lacks, entry: { ...match.entry, shown: now && shownHashOf(now.record) } };
}

export function keepsOld(old: Shown["old"]): string {
  return `the service accepted it, but still shows its old ${listNames(old)}`;
}

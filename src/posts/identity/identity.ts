import type { Post } from "../../client/api.ts";
import { canonicalOf, type SitePost } from "../post.ts";
import type { PostEntry } from "../memory/ledger.ts";
import { isOwnMarker, type PostMarker } from "./marker.ts";

/** A post as listed by the service. */
export interface RemotePost {
  readonly record: Post;
  /** `undefined` if the body isn't shown or has no marker. */
  readonly marker: PostMarker | undefined;
  /** The HTML of its body or page, if it was read. */
  readonly html?: string | undefined;
}

/** What identifies a local post. */
export interface PostIdentity {
  readonly slug: string;
  readonly uid: string;
  /** The local post, if its canonical address may identify it too. */
  readonly post?: SitePost | undefined;
  /** Id in the front matter. */
  readonly remoteId?: string | undefined;
  readonly entry: PostEntry | undefined;
  /** Whether a listed post belongs to somebody else or another file: after files swapped names, or for a copy of a post. */
  readonly isTaken?: (found: RemotePost) => boolean;
}

/** The posts of a blog, indexed by what identifies them. */
export interface PostIndex {
  readonly byId: ReadonlyMap<string, readonly RemotePost[]>;
  readonly bySlug: ReadonlyMap<string, readonly RemotePost[]>;
  readonly byUid: ReadonlyMap<string, readonly RemotePost[]>;
  readonly byCanonical: ReadonlyMap<string, readonly RemotePost[]>;
}

export function indexPosts(posts: readonly RemotePost[]): PostIndex {
  const index = (keyOf: (post: RemotePost) => string | undefined) =>
    Map.groupBy(
      posts.filter((post) => keyOf(post) !== undefined),
      (post) => keyOf(post) ?? "",
    );
  return {
    byId: index(({ record }) => record.id),
    bySlug: index(({ record }) => slugOfRecord(record)),
    byUid: index(({ marker }) => marker?.uid),
    byCanonical: index(({ record }) => canonicalOf(record)),
  };
}

/**
 * Finds the posts of the blog that are this one: by the id that we received or that is in the file, by the marker in
 * the body, or by the slug; if none of these matches, by the canonical address. Never by title, since two posts may
 * share one.
 */
export function findMatches(identity: PostIdentity, index: PostIndex, project?: string): readonly RemotePost[] {
  const { slug, uid, post, remoteId, entry, isTaken = () => false } = identity;
  const replaced = new Set(entry?.replaces);
  const isReplaced = ({ record }: RemotePost) =>
    replaced.has(record.id ?? "") || replaced.has(slugOfRecord(record) ?? "");
  const byId = (id: string | undefined) => (id === undefined ? [] : (index.byId.get(id) ?? []));
  const known = [...byId(entry?.id).filter((found) => !isAnother(found, { identity, project })), ...byId(remoteId)];
  const marked = (index.byUid.get(uid) ?? []).filter(
    ({ marker }) => marker !== undefined && (project === undefined || isOwnMarker(marker, project)),
  );
  const named = index.bySlug.get(entry?.remoteSlug ?? slug) ?? [];
  // A renamed post freed its old name for others.
  const isElsewhere = ({ record }: RemotePost) =>
    entry?.id !== undefined && entry.remoteSlug !== undefined && slugOfRecord(record) !== entry.remoteSlug;
  const seconds = [...marked, ...(index.bySlug.get(slug) ?? [])].filter((post) => isSecond(post, identity));
  const there = [...marked, ...named].filter((post) => !isElsewhere(post));
  const alike = [...there, ...seconds].filter((post) => !isTaken(post));
  const found = [...new Set([...known, ...alike])].filter((post) => !isReplaced(post));
  const canonical = post === undefined ? undefined : canonicalOf(post);
  if (found.length > 0 || canonical === undefined) return found;
  return (index.byCanonical.get(canonical) ?? []).filter((found) => !isTaken(found));
}

/** Whether a post was created with ours: a proxy may deliver a request twice, and a service then renames one of them. */
function isSecond({ record, marker, html }: RemotePost, { slug, uid, post, entry }: PostIdentity): boolean {
  if (entry === undefined) return false;
  if (marker === undefined) {
    const isUnread = html === undefined && slugOfRecord(record) === slug && isSameTitle(record.title, post?.title);
    return isUnread && /^-[12]$/.test(entry.remoteSlug?.replace(slug, "") ?? "");
  }
  if (marker.uid !== uid) return false;
  if (isSameSource(marker.source, entry.source)) return true;
  const times = [record.publishedAt, post?.publishedAt].map((time) => time?.getTime());
  return times[0] !== undefined && times[0] === times[1] && isSameTitle(record.title, post?.title);
}

/**
 * Whether a post with the id of ours is evidently another one, as a service that was restored from a backup may give
 * ids again: it has another slug and another title, and nothing shows our marker.
 */
function isAnother(
  { record, marker }: RemotePost,
  { identity, project }: { readonly identity: PostIdentity; readonly project: string | undefined },
): boolean {
  const { slug, uid, post, entry } = identity;
  const shown = slugOfRecord(record);
  if (shown === undefined || record.title === undefined || post === undefined) return false;
  if (shown === slug || shown === entry?.remoteSlug || isSameTitle(record.title, post.title)) return false;
  if (canonicalOf(record) !== undefined && canonicalOf(record) === canonicalOf(post)) return false;
  const isMarked =
    marker !== undefined && (marker.uid === uid || (project !== undefined && isOwnMarker(marker, project)));
  return !isMarked;
}

/** The slug that a service shows, or the last segment of the address. */
export function slugOfRecord({ slug, url }: Post): string | undefined {
  if (slug !== undefined) return slug;
  const path = URL.parse(url ?? "", "http://service.invalid/")?.pathname;
  return path
    ?.split("/")
    .findLast((part) => part !== "")
    ?.toLowerCase();
}

/** Identifies a listed post from one read to the next. */
export function keyOf({ record }: Pick<RemotePost, "record">): string | undefined {
  return record.id ?? record.url ?? slugOfRecord(record);
}

/** Whether a listed post belongs to an entry: compared by id if both have one. */
export function isSamePost(record: Post, { slug, entry }: { readonly slug: string; readonly entry: PostEntry }) {
  if (entry.id !== undefined && record.id !== undefined) return entry.id === record.id;
  return slugOfRecord(record) === (entry.remoteSlug ?? slug);
}

/** Whether two titles look the same to a reader. */
export function isSameTitle(one: string | undefined, other: string | undefined): boolean {
  return normalizeTitle(one) === normalizeTitle(other);
}

/** Normalizes a title for comparison. */
export function normalizeTitle(title = ""): string {
  return title
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/&amp;/g, "&")
    .replaceAll(/[‘’‚]/g, "'")
    .replaceAll(/[“”„]/g, '"')
    .replaceAll(/[‐-―]/g, "-")
    .replaceAll(/\s+/g, " ")
    .trim();
}

/** Whether two source hashes are the same; one may be truncated to a marker's digits. */
export function isSameSource(one: string, other: string): boolean {
  return one.startsWith(other) || other.startsWith(one);
}

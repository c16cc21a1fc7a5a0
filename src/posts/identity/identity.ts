import type { Post } from "../../client/api.ts";
import { canonicalOf, type SitePost } from "../post.ts";
import type { PostEntry } from "../memory/ledger.ts";
import { isOwnMarker, type PostMarker } from "./marker.ts";

/** A post as the service lists it. */
export interface RemotePost {
  readonly record: Post;
  /** `undefined` when the body is not shown, or has no marker. */
  readonly marker: PostMarker | undefined;
  /** The HTML of its body or of its page, where it was read. */
  readonly html?: string | undefined;
}

/** What a local post can be recognized by. */
export interface PostIdentity {
  readonly slug: string;
  readonly uid: string;
  /** The local post, where it can be recognized by its canonical address too. */
  readonly post?: SitePost | undefined;
  /** Id that stands in the front matter. */
  readonly remoteId?: string | undefined;
  readonly entry: PostEntry | undefined;
  /** Whether a listed post is known to be that of another file: files that swapped names, or a copy of a post. */
  readonly isTaken?: (record: Post) => boolean;
}

/** The posts of a blog by what they are recognized by. */
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
 * The posts of the blog that are this one: by the id that we were given or that stands in the file, by the marker in
 * the body, by the slug; only when none of these finds one, by the canonical address. Never by the title: two posts may
 * well have the same.
 */
export function findMatches(identity: PostIdentity, index: PostIndex, project?: string): readonly RemotePost[] {
  const { slug, uid, post, remoteId, entry, isTaken = () => false } = identity;
  const replaced = new Set(entry?.replaces);
  const isReplaced = ({ record }: RemotePost) =>
    replaced.has(record.id ?? "") || replaced.has(slugOfRecord(record) ?? "");
  const known = [entry?.id, remoteId].flatMap((id) => (id === undefined ? [] : (index.byId.get(id) ?? [])));
  const marked = (index.byUid.get(uid) ?? []).filter(
    ({ marker }) => marker !== undefined && (project === undefined || isOwnMarker(marker, project)),
  );
  const named = index.bySlug.get(entry?.remoteSlug ?? slug) ?? [];
  // A post that was renamed left its old name to others.
  const isElsewhere = ({ record }: RemotePost) =>
    entry?.id !== undefined && entry.remoteSlug !== undefined && slugOfRecord(record) !== entry.remoteSlug;
  const alike = [...marked, ...named].filter((post) => !isTaken(post.record) && !isElsewhere(post));
  const found = [...new Set([...known, ...alike])].filter((post) => !isReplaced(post));
  const canonical = post === undefined ? undefined : canonicalOf(post);
  if (found.length > 0 || canonical === undefined) return found;
  return (index.byCanonical.get(canonical) ?? []).filter(({ record }) => !isTaken(record));
}

/** The slug that a service shows, or the last part of the address. */
export function slugOfRecord({ slug, url }: Post): string | undefined {
  if (slug !== undefined) return slug;
  const path = URL.parse(url ?? "", "http://service.invalid/")?.pathname;
  return path
    ?.split("/")
    .findLast((part) => part !== "")
    ?.toLowerCase();
}

/** Whether a listed post is the one of an entry: by id where there is one. */
export function isSamePost(record: Post, { slug, entry }: { readonly slug: string; readonly entry: PostEntry }) {
  if (entry.id !== undefined && record.id !== undefined) return entry.id === record.id;
  return slugOfRecord(record) === (entry.remoteSlug ?? slug);
}

/** Whether two titles are the same to a reader. */
export function isSameTitle(one: string | undefined, other: string | undefined): boolean {
  return normalizeTitle(one) === normalizeTitle(other);
}

/** A title in the form in which two of them are compared. */
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

/** Whether two source hashes are the same; one may be cut to the digits of a marker. */
export function isSameSource(one: string, other: string): boolean {
  return one.startsWith(other) || other.startsWith(one);
}

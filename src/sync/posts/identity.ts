import type { Post } from "../../client/api.ts";
import type { PostEntry } from "./ledger.ts";
import { isOwnMarker, type PostMarker } from "./marker.ts";

/** A post as the service lists it. */
export interface RemotePost {
  readonly record: Post;
  /** `undefined` when the body is not shown, or has no marker. */
  readonly marker: PostMarker | undefined;
}

/** What a local post can be recognised by. */
export interface PostIdentity {
  readonly slug: string;
  readonly uid: string;
  readonly canonicalUrl: string | undefined;
  /** Id that stands in the front matter. */
  readonly remoteId?: string | undefined;
  readonly entry: PostEntry | undefined;
  /** Whether a listed post is known to be that of another file. A copy often has the canonical address of the first. */
  readonly isTaken?: (record: Post) => boolean;
}

/**
 * The posts of the blog that are this one: by the id that we were given or that stands in the file, by the marker in the body, by the slug; only
 * when none of these finds one, by the canonical address. Never by the title: two posts may well have the same.
 */
export function findMatches(
  identity: PostIdentity,
  posts: readonly RemotePost[],
  project?: string,
): readonly RemotePost[] {
  const { slug, uid, canonicalUrl, remoteId, entry, isTaken = () => false } = identity;
  const remoteSlug = entry?.remoteSlug ?? slug;
  const replaced = new Set(entry?.replaces);
  const found = posts.filter(({ record, marker }) => {
    if (replaced.has(record.id ?? "") || replaced.has(slugOfRecord(record) ?? "")) return false;
    const isKnown = record.id !== undefined && (record.id === entry?.id || record.id === remoteId);
    const isMarked = marker?.uid === uid && (project === undefined || isOwnMarker(marker, project));
    return isKnown || isMarked || slugOfRecord(record) === remoteSlug;
  });
  if (found.length > 0 || canonicalUrl === undefined) return found;
  return posts.filter(({ record }) => record.canonicalUrl === canonicalUrl && !isTaken(record));
}

/** The slug that a service tells, or the last part of the address. */
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

function normalizeTitle(title = ""): string {
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

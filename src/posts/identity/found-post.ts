import type { Post } from "../../client/api.ts";
import type { SitePost } from "../post.ts";
import { sentVersionOf, shownHashOf } from "./fingerprint.ts";
import type { FormerPost } from "./former-posts.ts";
import { isSamePost, isSameSource, slugOfRecord, type RemotePost } from "./identity.ts";
import type { KnownPosts } from "./known-posts.ts";
import type { PostEntry } from "../memory/ledger.ts";
import { markedSource } from "./marker.ts";

export interface FoundContext {
  readonly entry: PostEntry | undefined;
  readonly known: KnownPosts;
  /** Slug under which the post was published, if its file was renamed since. */
  readonly formerSlug: string | undefined;
}

/** Creates the entry of a post whose current version is on the blog. */
export function entryOfVersion(
  post: SitePost,
  { id, url, slug, contentHash }: Post,
  rest: Pick<PostEntry, "state" | "createdAt" | "replaces">,
): PostEntry {
  const remoteSlug = slug === post.slug ? undefined : slug;
  return { id, url, remoteSlug, file: post.file, ...sentVersionOf(post), contentHash, ...rest };
}

/** A post that the blog has, with its entry. */
export function foundPost(
  post: SitePost,
  known: RemotePost | undefined,
  { entry, known: { readAt }, formerSlug }: FoundContext,
) {
  const { id = entry?.id, url = entry?.url, slug, contentHash } = known?.record ?? {};
  const remoteSlug = slug ?? entry?.remoteSlug ?? formerSlug;
  const marker = known?.marker;
  // If a found post has no entry, its lines are known only if it is unchanged since it was sent.
  const isAsSent = marker === undefined || isSameSource(marker.source, post.sourceHash);
  const { lines, images } = entry ?? (isAsSent ? sentVersionOf(post) : {});
  const isSent = entry === undefined ? isAsSent : isSameSource(entry.source, post.sourceHash);
  const isAcknowledged = entry?.state === "acknowledged";
  const own: PostEntry = {
    id,
    url,
    remoteSlug: remoteSlug === post.slug ? undefined : remoteSlug,
    file: post.file,
    source: entry?.source ?? marker?.source ?? markedSource(post.sourceHash),
    sent: entry?.sent,
    lines,
    images,
    files: entry?.files,
    unlinked: entry?.unlinked,
    pointsTo: isSent ? post.pointsTo : entry?.pointsTo,
    // The hash at the time we sent it: a different one shows that somebody changed the post on the service.
    contentHash: entry === undefined ? contentHash : entry.contentHash,
    shown: entry?.shown ?? (known === undefined ? undefined : shownHashOf(known.record)),
    state: entry?.state ?? (marker === undefined ? "adopted" : "confirmed"),
    withdrawn: entry?.withdrawn,
    textless: known?.record.html === undefined ? entry?.textless : undefined,
    unshown: isAcknowledged && known !== undefined ? undefined : entry?.unshown,
    lacks: entry?.lacks,
    cut: entry?.cut,
    deadLinks: entry?.deadLinks,
    replaces: entry?.replaces,
    createdAt: entry?.createdAt ?? (known?.record.publishedAt ?? readAt).toISOString(),
  };
  return { post, known, entry: own };
}

type AddressOf = (hash: string) => string | undefined;

/** Records where a post's files are in the library; inline files have no path. */
export function filesOf({ assets }: SitePost, addressOf: AddressOf): Pick<PostEntry, "files"> {
  const files = assets.flatMap(({ hash }) => {
    const path = pathOf(addressOf(hash));
    return path === undefined ? [] : [[hash.slice(0, 8), path] as const];
  });
  return files.length === 0 ? {} : { files: Object.fromEntries(files) };
}

/** Names of files whose library address changed since the post was sent. */
export function findLostFiles(
  { assets }: SitePost,
  { files = {} }: Pick<PostEntry, "files">,
  addressOf: AddressOf | undefined,
): readonly string[] {
  if (addressOf === undefined) return [];
  return assets.flatMap(({ hash, name }) => {
    const [sent, now] = [files[hash.slice(0, 8)], pathOf(addressOf(hash))];
    return sent === undefined || now === undefined || sent === now ? [] : [name];
  });
}

function pathOf(address: string | undefined): string | undefined {
  const url = URL.parse(address ?? "");
  return url?.protocol === "https:" || url?.protocol === "http:" ? url.pathname : undefined;
}

interface SentImages {
  readonly entry: PostEntry | undefined;
  /** Returns the library address of an image by its hash. */
  readonly addressOf: AddressOf | undefined;
}

/** Names of images that were sent with the text and that the service's HTML no longer has. */
export function findReplaced(
  post: SitePost,
  html: string | undefined,
  { entry, addressOf }: SentImages,
): readonly string[] {
  if (html === undefined) return [];
  const sent = post.assets.filter(({ hash }) => post.html.includes(hash) && entry?.images?.includes(hash.slice(0, 8)));
  return sent.flatMap(({ hash, name }) => {
    // The service's host may have changed since.
    const path = URL.parse(addressOf?.(hash) ?? "")?.pathname;
    return path === undefined || html.includes(path) ? [] : [name];
  });
}

/** Finds the post with this slug or id on the service, or published under this slug. */
export function findRemembered(name: string, { ledger, posts }: KnownPosts): FormerPost | undefined {
  const isNamed = ([slug, { id, remoteSlug = slug }]: readonly [string, PostEntry]) =>
    remoteSlug === name || id === name;
  const remote = posts.find(({ record }) => record.id === name || slugOfRecord(record) === name);
  const own = ledger.entries.get(name);
  const remembered =
    [...ledger.entries].find(isNamed) ?? (remote === undefined && own !== undefined ? [name, own] : undefined);
  if (remembered === undefined) {
    return remote === undefined ? undefined : { slug: slugOfRecord(remote.record) ?? name, entry: undefined, remote };
  }
  const [slug, entry] = remembered;
  return { slug, entry, remote: posts.find(({ record }) => isSamePost(record, { slug, entry })) };
}

/**
 * Creates the entry of a post that the author identified under another name. If the service accepts edits and its
 * version is unknown, the post is sent again.
 */
export function entryOfFound(
  post: SitePost,
  { slug, entry, remote }: FormerPost,
  { canPatch, now }: { readonly canPatch: boolean; readonly now: Date },
): PostEntry {
  if (entry !== undefined) return { ...entry, file: post.file, remoteSlug: entry.remoteSlug ?? slug };
  const { id, url, contentHash, publishedAt = now } = remote?.record ?? {};
  const present = canPatch ? UNKNOWN_SOURCE : markedSource(post.sourceHash);
  return {
    id,
    url,
    contentHash,
    remoteSlug: slug,
    file: post.file,
    source: remote?.marker?.source ?? present,
    state: remote?.marker === undefined ? "adopted" : "confirmed",
    createdAt: publishedAt.toISOString(),
  };
}

/** Matches none of our versions, so the current one is sent. */
const UNKNOWN_SOURCE = "0".repeat(12);

import type { Post } from "../../client/api.ts";
import type { SitePost } from "../post.ts";
import { sentVersionOf } from "./fingerprint.ts";
import type { FormerPost } from "./former-posts.ts";
import { isSamePost, isSameSource, slugOfRecord, type RemotePost } from "./identity.ts";
import type { KnownPosts } from "./known-posts.ts";
import type { PostEntry } from "../memory/ledger.ts";
import { markedSource } from "./marker.ts";

export interface FoundContext {
  readonly entry: PostEntry | undefined;
  readonly known: KnownPosts;
  /** Slug under which the post was published, when its file has got another name since. */
  readonly formerSlug: string | undefined;
}

/** What is to be remembered of a post whose present version is the one that the blog has. */
export function entryOfVersion(
  post: SitePost,
  { id, url, slug, contentHash }: Post,
  rest: Pick<PostEntry, "state" | "createdAt" | "replaces">,
): PostEntry {
  const remoteSlug = slug === post.slug ? undefined : slug;
  return { id, url, remoteSlug, file: post.file, ...sentVersionOf(post), contentHash, ...rest };
}

/** A post that the blog has, with what is to be remembered of it. */
export function foundPost(
  post: SitePost,
  known: RemotePost | undefined,
  { entry, known: { readAt }, formerSlug }: FoundContext,
) {
  const { id = entry?.id, url = entry?.url, slug, contentHash } = known?.record ?? {};
  const remoteSlug = slug ?? entry?.remoteSlug ?? formerSlug;
  const marker = known?.marker;
  // Of a post that is found without being remembered, the lines are known when it is as it was sent.
  const isAsSent = marker === undefined || isSameSource(marker.source, post.sourceHash);
  const { lines, images } = entry ?? (isAsSent ? sentVersionOf(post) : {});
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
    // The hash of the moment at which we sent it: a later one shows that somebody changed the post at the service.
    contentHash: entry === undefined ? contentHash : entry.contentHash,
    state: entry?.state ?? (marker === undefined ? "adopted" : "confirmed"),
    withdrawn: entry?.withdrawn,
    textless: known?.record.html === undefined ? entry?.textless : undefined,
    replaces: entry?.replaces,
    createdAt: entry?.createdAt ?? (known?.record.publishedAt ?? readAt).toISOString(),
  };
  return { post, known, entry: own };
}

type AddressOf = (hash: string) => string | undefined;

/** What is to be remembered of the places of a post's files in the library; one in the post itself has none. */
export function filesOf({ assets }: SitePost, addressOf: AddressOf): Pick<PostEntry, "files"> {
  const files = assets.flatMap(({ hash }) => {
    const path = pathOf(addressOf(hash));
    return path === undefined ? [] : [[hash.slice(0, 8), path] as const];
  });
  return files.length === 0 ? {} : { files: Object.fromEntries(files) };
}

/** Names of files that are elsewhere in the library than when a post was sent with them. */
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
  /** Where the library has an image, by its hash. */
  readonly addressOf: AddressOf | undefined;
}

/** Names of images that the text was sent with and that its HTML at the service has no more. */
export function findReplaced(
  post: SitePost,
  html: string | undefined,
  { entry, addressOf }: SentImages,
): readonly string[] {
  if (html === undefined) return [];
  const sent = post.assets.filter(({ hash }) => post.html.includes(hash) && entry?.images?.includes(hash.slice(0, 8)));
  return sent.flatMap(({ hash, name }) => {
    // The service may have got another host since.
    const path = URL.parse(addressOf?.(hash) ?? "")?.pathname;
    return path === undefined || html.includes(path) ? [] : [name];
  });
}

/** The post that has a slug or an id at the service, or that was published under a slug. */
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
 * What is to be remembered of a post that a person recognized under another name. A service that takes edits gets it
 * again where it is not known which version it has.
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

/** Stands for a version that is none of ours, so that the present one is sent. */
const UNKNOWN_SOURCE = "0".repeat(12);

import { sha256 } from "../../src/base/hash.ts";
import type { Listing, Post } from "../../src/client/api.ts";
import type { SitePost } from "../../src/posts/post.ts";
import { assessList } from "../../src/posts/identity/completeness.ts";
import type { KnownPosts } from "../../src/posts/identity/known-posts.ts";
import type { PostEntry, PostLedger } from "../../src/posts/memory/ledger.ts";
import { findPostMarker, postUid } from "../../src/posts/identity/marker.ts";

export const COLLECTION = "src/content/blog";
export const NOW = new Date("2026-03-01T12:00:00Z");
export const LONG_AGO = "2026-01-01T00:00:00.000Z";

export function localPost(slug: string, fields: Partial<SitePost> = {}): SitePost {
  return {
    file: `${COLLECTION}/${slug}.md`,
    slug,
    title: slug,
    status: "published",
    publishedAt: undefined,
    excerpt: undefined,
    tags: [],
    author: undefined,
    canonicalUrl: undefined,
    cover: undefined,
    html: `<p>${slug}</p>`,
    sourceHash: sha256(slug),
    assets: [],
    warnings: [],
    ...fields,
  };
}

export function entryOf(slug: string, fields: Partial<PostEntry> = {}): PostEntry {
  return {
    id: `po_${slug}`,
    url: `https://blog.example/${slug}`,
    file: `${COLLECTION}/${slug}.md`,
    source: sha256(slug),
    state: "confirmed",
    createdAt: LONG_AGO,
    ...fields,
  };
}

export function remoteOf(slug: string, fields: Post = {}): Post {
  return { id: `po_${slug}`, slug, url: `https://blog.example/${slug}`, title: slug, status: "published", ...fields };
}

export function markerHtml(slug: string, { source = sha256(slug), collection = COLLECTION } = {}): string {
  return `<span hidden data-imprint-post="v1:${postUid({ collection, slug })}:${source.slice(0, 12)}"></span>`;
}

interface Facts {
  readonly remote?: readonly Post[];
  readonly listing?: Partial<Listing<Post>>;
  readonly ledger?: Partial<PostLedger>;
  readonly gone?: readonly string[];
}

export function knownOf({ remote = [], listing, ledger, gone = [] }: Facts): KnownPosts {
  const whole = { items: remote, total: undefined, end: "said" as const, ...listing };
  const memory: PostLedger = { entries: new Map(), open: new Map(), learned: {}, ...ledger };
  const evidence = { listing: whole, ledger: memory, gone: new Set(gone), now: NOW };
  return {
    posts: remote.map((record) => ({ record, marker: findPostMarker(record.html ?? "") })),
    listing: whole,
    completeness: assessList(evidence),
    ledger: memory,
    gone: evidence.gone,
    showsDrafts: true,
    readAt: NOW,
  };
}

import type { SiteAsset, SiteWarning } from "../site/model.ts";

/** Fields that an author writes and that the service stores unchanged. */
export interface PostText {
  readonly publishedAt: Date | undefined;
  readonly excerpt: string | undefined;
  readonly tags: readonly string[];
  readonly author: string | undefined;
  readonly canonicalUrl: string | undefined;
}

/** The fields in hashing order. */
export const TEXT_FIELDS = [
  "publishedAt",
  "excerpt",
  "tags",
  "author",
  "canonicalUrl",
] as const satisfies readonly (keyof PostText)[];

/** One Markdown post, ready to send except for image addresses. */
export interface SitePost extends PostText {
  /** Path of the Markdown file, relative to the project. */
  readonly file: string;
  readonly slug: string;
  readonly title: string;
  readonly status: "draft" | "published";
  /** The cover image: an asset, or an address on another site. */
  readonly cover:
    | { readonly kind: "asset"; readonly hash: string; readonly alt: string | undefined }
    | { readonly kind: "external"; readonly address: string; readonly alt: string | undefined }
    | undefined;
  /** Rendered body with placeholders for images. */
  readonly html: string;
  /** SHA-256 of the source: the sent fields, the body with LF line endings, and the bytes of local images. */
  readonly sourceHash: string;
  /** The Markdown below the front matter, used to measure edits. */
  readonly text?: string;
  /** Id of the post on the service, if it was written into the file. */
  readonly remoteId?: string | undefined;
  /** Slug of the page with the text, for a post that only links to it. */
  readonly pointsTo?: string;
  /** Links that it is sent without because nothing is published at their targets, as written. */
  readonly unlinked?: readonly string[];
  /** Files of posts that it links to and that have a problem. */
  readonly waitsFor?: readonly string[];
  /** When the post will have been unchanged for the time set in `posts.settle`; absent if it already has. */
  readonly settlesAt?: Date;
  readonly assets: readonly SiteAsset[];
  readonly warnings: readonly SiteWarning[];
}

/** Picks the text fields of a post. */
export function textFieldsOf(post: PostText): PostText {
  const { publishedAt, excerpt, tags, author, canonicalUrl } = post;
  return { publishedAt, excerpt, tags, author, canonicalUrl };
}

/** The canonical address of a local or remote post. */
export function canonicalOf({ canonicalUrl }: Partial<Pick<PostText, "canonicalUrl">>): string | undefined {
  return canonicalUrl;
}

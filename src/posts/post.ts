import type { SiteAsset, SiteWarning } from "../site/model.ts";

/** The fields that an author writes and that the service keeps as they are. */
export interface PostText {
  readonly publishedAt: Date | undefined;
  readonly excerpt: string | undefined;
  readonly tags: readonly string[];
  readonly author: string | undefined;
  readonly canonicalUrl: string | undefined;
}

/** These fields in the order in which they are hashed. */
export const TEXT_FIELDS = [
  "publishedAt",
  "excerpt",
  "tags",
  "author",
  "canonicalUrl",
] as const satisfies readonly (keyof PostText)[];

/** One markdown post, ready to be sent but for the addresses of its images. */
export interface SitePost extends PostText {
  /** Path of the markdown file, relative to the project. */
  readonly file: string;
  readonly slug: string;
  readonly title: string;
  readonly status: "draft" | "published";
  /** The cover image: an asset, or an address of another site. */
  readonly cover:
    | { readonly kind: "asset"; readonly hash: string; readonly alt: string | undefined }
    | { readonly kind: "external"; readonly address: string; readonly alt: string | undefined }
    | undefined;
  /** Rendered body with placeholders for images. */
  readonly html: string;
  /** SHA-256 of the source: the fields that are sent, the body with LF line ends, and the bytes of local images. */
  readonly sourceHash: string;
  /** The markdown below the front matter, from which the share of edits is measured. */
  readonly text?: string;
  /** Id of the post at the service, where it was written into the file. */
  readonly remoteId?: string | undefined;
  /** Slug of the page that holds the text, of a post that only leads to it. */
  readonly pointsTo?: string;
  /** When the post has been left unchanged for as long as `posts.settle` asks for; absent: it has. */
  readonly settlesAt?: Date;
  readonly assets: readonly SiteAsset[];
  readonly warnings: readonly SiteWarning[];
}

/** The text fields of a post alone. */
export function textFieldsOf(post: PostText): PostText {
  const { publishedAt, excerpt, tags, author, canonicalUrl } = post;
  return { publishedAt, excerpt, tags, author, canonicalUrl };
}

/** The address that a post names as its original, here or at the service. */
export function canonicalOf({ canonicalUrl }: Partial<Pick<PostText, "canonicalUrl">>): string | undefined {
  return canonicalUrl;
}

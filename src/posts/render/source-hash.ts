import { sha256 } from "../../base/hash.ts";
import type { SitePost } from "../../site/model.ts";

/** The fields of a post whose change is an edit. */
export type SourceFields = Pick<SitePost, "title" | "publishedAt" | "excerpt" | "tags" | "author" | "canonicalUrl"> & {
  readonly language: string | undefined;
  readonly coverAlt: string | undefined;
};

export interface PostSource {
  readonly fields: SourceFields;
  /** The markdown below the front matter, with LF line ends. */
  readonly body: string;
  /** Hashes of the image files by the address under which the text names them. */
  readonly images: ReadonlyMap<string, string>;
}

/**
 * Hash of what the author wrote. Only a change of it is an edit: another theme for code, or another Astro, gives other
 * HTML from the same source. The slug is no part of it: it names the post, and a renamed file has the same text.
 */
export function sourceHashOf({ fields, body, images }: PostSource): string {
  const { title, publishedAt, excerpt, tags, author, canonicalUrl, coverAlt, language } = fields;
  const named = [...images].toSorted(([one], [other]) => (one < other ? -1 : 1));
  const values = [title, publishedAt?.toISOString(), excerpt, tags, author, canonicalUrl, coverAlt, language];
  return sha256(JSON.stringify([...values.map((value) => value ?? null), named, body.trim()]));
}

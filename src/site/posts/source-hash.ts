import { sha256 } from "../../base/hash.ts";
import type { SitePost } from "../model.ts";

export interface PostSource {
  readonly post: Omit<SitePost, "html" | "sourceHash" | "assets" | "warnings" | "file" | "cover">;
  readonly coverAlt: string | undefined;
  /** The markdown below the front matter, with LF line ends. */
  readonly body: string;
  /** Hashes of the local images by the address under which the post names them. */
  readonly images: ReadonlyMap<string, string>;
}

/**
 * Hash of what the author wrote. Only a change of it is an edit: another theme for code, or another Astro, gives other
 * HTML from the same source. The slug is no part of it: it names the post, and a renamed file has the same text.
 */
export function sourceHashOf({ post, coverAlt, body, images }: PostSource): string {
  const { title, status, publishedAt, excerpt, tags, author, canonicalUrl } = post;
  const named = [...images].toSorted(([one], [other]) => (one < other ? -1 : 1));
  const fields = [title, status, publishedAt?.toISOString(), excerpt, tags, author, canonicalUrl, coverAlt];
  return sha256(JSON.stringify([...fields.map((field) => field ?? null), named, body.trim()]));
}

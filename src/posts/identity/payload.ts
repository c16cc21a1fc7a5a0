import { sha256 } from "../../base/hash.ts";
import type { PostCreateBody } from "../../contract/requests.ts";
import { fillPlaceholders } from "../../html/placeholders.ts";
import type { SitePost } from "../../site/model.ts";
import { markedSource, withPostMarker, type PostMarker } from "./marker.ts";

/** What is sent for a post. `addressOf` gives the address of an image by its hash. */
export function payloadOf(
  post: SitePost,
  { uid, project, addressOf }: Pick<PostMarker, "uid" | "project"> & { readonly addressOf: (hash: string) => string },
): PostCreateBody & { readonly html: string } {
  const { slug, title, status, tags, excerpt, author, canonicalUrl, publishedAt, cover } = post;
  const html = fillPlaceholders(post.html, addressOf);
  return {
    ...{ slug, title, status, excerpt, author, canonicalUrl, tags: [...tags] },
    html: withPostMarker(html, { uid, project, source: markedSource(post.sourceHash) }),
    publishedAt: publishedAt?.toISOString(),
    coverImage: cover?.kind === "asset" ? addressOf(cover.hash) : cover?.address,
  };
}

/** Hash of what would be sent, with placeholders for images: it changes with the way in which a post is rendered. */
export function sentHashOf(post: SitePost): string {
  return sha256(JSON.stringify(payloadOf(post, { uid: "", project: undefined, addressOf: (hash) => hash }))).slice(
    0,
    16,
  );
}

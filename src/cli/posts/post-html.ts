import { fillPostPlaceholders, findPostPlaceholders } from "../../html/post-placeholders.ts";
import type { SiteAsset } from "../../site/model.ts";
import { createStateFiles } from "../../sync/state-store.ts";
import { readPostsFolder, type LocalPostsRequest } from "./sync-posts.ts";

/** The body of a post for a person to take elsewhere. */
export interface PostHtml {
  /** Images stand in it as `imprint-asset:<hash>`. */
  readonly html: string;
  readonly images: readonly SiteAsset[];
  /** Slugs of posts that it links to and whose address is not known here: those links are left out. */
  readonly lost: readonly string[];
}

/** Renders one post without a service; `undefined` when there is none of this slug that is ready. */
export async function renderPostHtml(request: LocalPostsRequest, slug: string): Promise<PostHtml | undefined> {
  const { posts: local } = await readPostsFolder(request);
  const post = local.posts.find((each) => each.slug === slug);
  if (post === undefined) return undefined;
  const { posts = {} } = await createStateFiles(request.projectRoot, "").readLock();
  const addressOf = (other: string) => {
    return Object.values(posts).flatMap((blog) => blog.posts[other]?.url ?? [])[0];
  };
  return {
    html: fillPostPlaceholders(post.html, addressOf),
    images: post.assets,
    lost: findPostPlaceholders(post.html).filter((other) => addressOf(other) === undefined),
  };
}

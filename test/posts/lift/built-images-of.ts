import { createBuiltImages } from "../../../src/posts/render/built-images.ts";
import { createLifter } from "../../../src/posts/render/lift/lift-post.ts";
import type { ReadPostsSettings } from "../../../src/posts/local/read-posts.ts";
import { readBuiltSite } from "../../../src/site/read-site.ts";

/** Reads what a built site contributes to its posts. */
export async function readBuiltImages(dist: string): Promise<Pick<ReadPostsSettings, "lift" | "images">> {
  const site = await readBuiltSite(dist);
  return { lift: createLifter(site), images: { findBuilt: createBuiltImages(site, undefined) } };
}

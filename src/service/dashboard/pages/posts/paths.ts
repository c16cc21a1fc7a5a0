import type { BlogPost } from "../../../resources/posts.ts";

/** The dashboard's address of a post. */
export function postPath({ blog, post }: BlogPost): string {
  return `/blogs/${blog.slug}/posts/${post.slug}`;
}

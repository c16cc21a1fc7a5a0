import type { Options } from "../options/schema.ts";
import type { DesiredBlog } from "../sync/desired.ts";

/** The blog that posts go to; `undefined` when they go to none. */
export function desireBlog(
  { posts }: Options,
  { siteName, held }: { readonly siteName: string; readonly held: DesiredBlog["held"] },
): DesiredBlog | undefined {
  if (posts === false || posts.target === "pages") return undefined;
  const { id, name = siteName, slug, create } = posts.blog;
  return { id, name, slug, create, held, collection: posts.folder };
}

import type { Options } from "../../options/schema.ts";
import type { DesiredBlog } from "../../sync/desired.ts";

/** The blog that posts go to; `undefined` when they go to none. */
export function desireBlog(
  { posts }: Options,
  { siteName, ...files }: { readonly siteName: string } & Pick<DesiredBlog, "held" | "unread" | "renamedFrom">,
): DesiredBlog | undefined {
  if (posts === false || posts.target === "pages") return undefined;
  const { id, name = siteName, slug, create } = posts.blog;
  return { id, name, slug, create, ...files, collection: posts.folder };
}

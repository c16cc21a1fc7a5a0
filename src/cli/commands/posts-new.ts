import { join, relative } from "node:path";
import { writeNewPost } from "../../flow/new-post.ts";
import type { CliContext, ExitCode } from "../context.ts";
import { openLocalPosts } from "../posts/open-posts.ts";
import type { PostsFlags } from "../posts-commands.ts";

/** `imprint posts new "Title"`: a draft that nothing publishes before its author says so. */
export async function postsNewCommand(
  { title, flags }: { readonly title: string; readonly flags: PostsFlags },
  context: CliContext,
): Promise<ExitCode> {
  const { projectRoot, folder } = await openLocalPosts(flags, context);
  const file = await writeNewPost({ folder: join(projectRoot, folder), title, date: new Date() });
  context.out.write(`${relative(context.cwd, file)}\n`);
  return 0;
}

import { relative } from "node:path";
import { writeNewPost } from "../../flow/new-post.ts";
import type { CliContext, ExitCode } from "../context.ts";
import { openLocalPosts } from "../posts/open-posts.ts";
import type { PostsFlags } from "../posts-commands.ts";

/** `imprint posts new "Title"`: a draft that nothing publishes before its author says so. */
export async function postsNewCommand(
  { title, flags }: { readonly title: string; readonly flags: PostsFlags },
  context: CliContext,
): Promise<ExitCode> {
  const { projectRoot: root, folder, logger } = await openLocalPosts(flags, context);
  const { file, open, hiddenBy } = await writeNewPost({ root, folder, title, date: new Date(), logger });
  context.out.write(`${relative(context.cwd, file)}\n`);
  // The path alone is on the output, so that it can be handed to an editor.
  if (open.length > 0) context.error.write(`Fill in: ${open.join(", ")}.\n`);
  context.error.write(
    hiddenBy === "draft"
      ? "It is a draft until you take that line out.\n"
      : "The collection's schema knows no drafts: take the underscore off the file's name to publish it.\n",
  );
  return 0;
}

import { ImprintError } from "../../base/error.ts";
import { renderPostHtml } from "../posts/post-html.ts";
import type { CliContext, ExitCode } from "../context.ts";
import { openLocalPosts } from "../posts/open-posts.ts";
import type { SlugArguments } from "../posts-commands.ts";

/** `imprint posts html <slug>`: the body of a post on the output, notes on the error stream. */
export async function postsHtmlCommand({ slug, flags }: SlugArguments, context: CliContext): Promise<ExitCode> {
  const post = await renderPostHtml(await openLocalPosts(flags, context), slug);
  if (post === undefined) throw new ImprintError("USAGE", `There is no post "${slug}" that is ready to be published.`);
  context.out.write(`${post.html.trimEnd()}\n`);
  for (const { name, hash } of post.images) {
    context.error.write(`! ${name} stands as imprint-asset:${hash} and has to be uploaded in the dashboard.\n`);
  }
  for (const other of post.lost) {
    context.error.write(`! The link to ${other} is left out: its address in the blog is not known here.\n`);
  }
  return 0;
}

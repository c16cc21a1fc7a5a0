import { ImprintError } from "../../base/error.ts";
import { readPostsFolder } from "../../flow/sync-posts.ts";
import type { CliContext, ExitCode } from "../context.ts";
import { openLocalPosts } from "../posts/open-posts.ts";
import type { SlugArguments } from "../posts-commands.ts";

/** `imprint posts html <slug>`: the body of a post on the output, notes on the error stream. */
export async function postsHtmlCommand({ slug, flags }: SlugArguments, context: CliContext): Promise<ExitCode> {
  const { local } = await readPostsFolder(await openLocalPosts(flags, context));
  const post = local.posts.find((each) => each.slug === slug);
  if (post === undefined) throw new ImprintError("USAGE", `There is no post "${slug}" that is ready to be published.`);
  context.out.write(`${post.html.trimEnd()}\n`);
  for (const { name, hash } of post.assets) {
    context.error.write(`! ${name} stands as imprint-asset:${hash} and has to be uploaded in the dashboard.\n`);
  }
  return 0;
}

import { pullPosts } from "../posts/pull-posts.ts";
import type { CliContext, ExitCode } from "../context.ts";
import { withPostsTarget } from "../posts/open-posts.ts";
import type { PostsFlags } from "../posts-commands.ts";
import { paintFor } from "../terminal.ts";

/** `imprint posts pull [slug…]`: files for posts of the blog that have none here. */
export async function postsPullCommand(
  { slugs, flags }: { readonly slugs: readonly string[]; readonly flags: PostsFlags },
  context: CliContext,
): Promise<ExitCode> {
  const pulled = await withPostsTarget({ flags, context }, (request) => pullPosts(request, slugs));
  const { out, environment } = context;
  if (flags.json === true) {
    out.write(`${JSON.stringify({ version: 1, posts: pulled }, undefined, 2)}\n`);
  } else {
    const paint = paintFor(out, environment);
    for (const { slug, file, reason } of pulled) {
      out.write(file === undefined ? `${paint("warn", "!")} ${slug}  ${reason}.\n` : `${paint("good", "+")} ${file}\n`);
      if (file !== undefined && reason !== undefined) out.write(`    ${paint("warn", reason)}\n`);
    }
    if (pulled.length === 0) out.write("Every post of the blog has a file here.\n");
  }
  return pulled.some(({ reason }) => reason !== undefined) ? 1 : 0;
}

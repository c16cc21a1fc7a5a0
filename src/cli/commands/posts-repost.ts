import { repost } from "../posts/repost.ts";
import { confirmChange } from "../confirm.ts";
import type { CliContext, ExitCode } from "../context.ts";
import { withPostsTarget } from "../posts/open-posts.ts";
import type { SlugArguments } from "../posts-commands.ts";

/** `imprint posts repost <slug>`: a new post in place of one that the service can't change. */
export async function postsRepostCommand({ slug, flags }: SlugArguments, context: CliContext): Promise<ExitCode> {
  const question = `Publish "${slug}" again? The blog then has it twice until you delete the old post in the dashboard, and links to the old address break.`;
  if (!(await confirmChange(question, flags, context))) return 1;
  const { place, left } = await withPostsTarget({ flags, context }, (request) => repost(request, slug));
  if (flags.json === true) {
    context.out.write(`${JSON.stringify({ version: 1, slug, place, left }, undefined, 2)}\n`);
    return 0;
  }
  context.out.write(`Published again: ${place}\n`);
  for (const old of left) context.out.write(`Delete in the dashboard: ${old}\n`);
  return 0;
}

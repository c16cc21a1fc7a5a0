import { ImprintError } from "../../base/error.ts";
import { repost } from "../../flow/repost.ts";
import type { CliContext, ExitCode } from "../context.ts";
import { withPostsTarget } from "../posts/open-posts.ts";
import type { SlugArguments } from "../posts-commands.ts";

/** `imprint posts repost <slug>`: a new post in place of one that the service can't change. */
export async function postsRepostCommand({ slug, flags }: SlugArguments, context: CliContext): Promise<ExitCode> {
  if (flags.yes !== true) {
    const message = `The blog will have "${slug}" twice, under two addresses, until you delete the old one in the dashboard. Links to the old address break then.`;
    throw new ImprintError("USAGE", message, { hint: "Add --yes to publish it anew." });
  }
  const { place, left } = await withPostsTarget({ flags, context }, (request) => repost(request, slug));
  context.out.write(`Published anew: ${place}\n`);
  for (const old of left) context.out.write(`Delete by hand: ${old}\n`);
  return 0;
}

import { ImprintError } from "../../base/error.ts";
import { shareDraft } from "../posts/share-draft.ts";
import type { CliContext, ExitCode } from "../context.ts";
import { withPostsTarget } from "../posts/open-posts.ts";
import type { SlugArguments } from "../posts-commands.ts";

const MAX_DAYS = 30;

/** `imprint posts preview <slug>`: a link that shows a draft to a colleague. */
export async function postsPreviewCommand({ slug, flags }: SlugArguments, context: CliContext): Promise<ExitCode> {
  const expiresInDays = flags.days === undefined ? undefined : parseDays(flags.days);
  const share = { slug, expiresInDays };
  const { url, expiresAt } = await withPostsTarget({ flags, context }, (request) => shareDraft(request, share));
  context.out.write(
    flags.json === true ? `${JSON.stringify({ url, expiresAt })}\n` : `${url}\nExpires ${expiresAt.toISOString()}.\n`,
  );
  return 0;
}

function parseDays(text: string): number {
  const days = Number(text);
  if (/^\d+$/.test(text) && days >= 1 && days <= MAX_DAYS) return days;
  throw new ImprintError("USAGE", `--days is "${text}".`, { hint: `Give a whole number from 1 to ${MAX_DAYS}.` });
}

import { ImprintError } from "../../base/error.ts";
import type { CliContext, ExitCode } from "../context.ts";
import { withPostsTarget } from "./open-posts.ts";
import type { SlugArguments } from "../posts-commands.ts";
import { sha256 } from "../../base/hash.ts";
import type { PreviewLink } from "../../client/account-api.ts";
import type { SitePost } from "../../site/model.ts";
import type { PostChange } from "../../posts/plan/changes.ts";
import type { DesiredRun } from "../../sync/desired/build-desired.ts";
import { buildPosts } from "../../sync/desired/build-posts.ts";
import { planDesired, planDryRun, type PlannedSite } from "../../sync/plan-run.ts";
import type { Run } from "../../sync/run.ts";
import { withRun } from "../../target/open-run.ts";
import { sendOnePost, withPost } from "./repost.ts";
import type { PostsRequest } from "./sync-posts.ts";

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

export interface DraftToShare {
  readonly slug: string;
  /** Default: 7. */
  readonly expiresInDays?: number | undefined;
}

/**
 * Sends a draft, or a post that waits for its date, to the service as a draft, and makes a link that shows it to whoever
 * has the link. A draft that was sent before gets the present text. Readers of the blog see nothing of it; when the post
 * is due, the next sync publishes that same draft.
 *
 * @throws ImprintError `NOT_SUPPORTED` where the service has no preview links, `USAGE` for a post that isn't on hold
 *   or that the service shows already
 */
export async function shareDraft(request: PostsRequest, { slug, expiresInDays }: DraftToShare): Promise<PreviewLink> {
  return await withRun({ ...request, only: "posts" }, async (run) => {
    const { api } = run;
    if (!api.capabilities.operations.has("previewLinks.create")) {
      throw new ImprintError("NOT_SUPPORTED", `${api.baseUrl} has no preview links.`, {
        hint: "Look at drafts on this machine with `imprint posts check --watch`.",
      });
    }
    const planned = await planDryRun(run);
    const draft = await readDraft(slug, { run, planned });
    const others = withoutHeld(planned, slug);
    const blogId = await checkDraft(draft, { run, others });
    const entry = await sendOnePost(draft, { run, planned: others, blogId });
    return await api.posts.createPreviewLink(blogId, { slug: entry.remoteSlug ?? slug, expiresInDays });
  });
}

async function readDraft(
  slug: string,
  { run, planned: { local, addresses } }: { readonly run: Run; readonly planned: PlannedSite },
): Promise<SitePost> {
  const { posts: everything } = await buildPosts(run, { addresses, reads: "everything" });
  const post = everything.posts.find((each) => each.slug === slug);
  if (post === undefined) {
    const reason = local.held.some((held) => held.slug === slug) ? "its file has problems" : "there is no such post";
    throw refusal(slug, reason, "Run `imprint posts check`.");
  }
  if (!local.held.some((held) => held.slug === slug)) {
    throw refusal(slug, "it is ready to be published", "Run `imprint posts sync`.");
  }
  const { settlesAt: _, ...draft } = post;
  // Differs from the post's own hash, so that publishing the post later counts as an edit of what was sent here, also
  // where only the marker in the sent HTML remembers it.
  return { ...draft, status: "draft", sourceHash: sha256(`draft\n${post.sourceHash}`) };
}

function withoutHeld(planned: DesiredRun, slug: string): DesiredRun {
  const { desired } = planned;
  const { blog } = desired;
  const posts = desired.posts.filter((post) => post.slug !== slug);
  const held = planned.local.held.filter((each) => each.slug !== slug);
  return { ...planned, desired: { ...desired, posts, pages: [], blog: blog && { ...blog, held } } };
}

/** The id of the blog; throws where sending the draft would change what readers see. */
async function checkDraft(
  draft: SitePost,
  { run, others }: { readonly run: Run; readonly others: DesiredRun },
): Promise<string> {
  const { slug } = draft;
  const { plan, known } = await planDesired(withPost(others, draft), run);
  const change = plan.posts.find(({ name }) => name === slug);
  const blogId = known.blog?.id;
  if (blogId === undefined || change === undefined) {
    throw refusal(slug, "the blog doesn't exist yet", "Run `imprint posts sync`, which creates it.");
  }
  if (change.kind === "blocked") throw refusal(slug, change.reason, change.hint);
  if (change.kind !== "create" && !isHiddenThere(change)) {
    throw refusal(slug, "the service shows a post under this slug to readers", "Run `imprint posts plan`.");
  }
  return blogId;
}

function isHiddenThere(change: PostChange): boolean {
  return (change.kind === "keep" || change.kind === "update") && change.known?.record.status === "draft";
}

function refusal(slug: string, reason: string, hint: string | undefined): ImprintError {
  return new ImprintError("USAGE", `No preview link was created for "${slug}": ${reason}.`, { hint });
}

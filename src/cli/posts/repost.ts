import { confirmChange } from "../confirm.ts";
import type { CliContext, ExitCode } from "../context.ts";
import { withPostsTarget } from "./open-posts.ts";
import type { SlugArguments } from "../posts-commands.ts";
import { ImprintError } from "../../base/error.ts";
import type { SitePost } from "../../site/model.ts";
import { slugOfRecord } from "../../posts/identity/identity.ts";
import { openPostRepository, type PostRepository } from "../../posts/memory/repository.ts";
import type { PostEntry } from "../../posts/memory/ledger.ts";
import { applyRun } from "../../sync/apply-run.ts";
import { collectAssets } from "../../sync/desired.ts";
import type { DesiredRun } from "../../sync/desired/build-desired.ts";
import { planDesired, planDryRun, type PlannedSite } from "../../sync/plan-run.ts";
import { prepareEach } from "../../sync/prepare.ts";
import type { Run } from "../../sync/run.ts";
import { withRun } from "../../target/open-run.ts";
import type { PostsRequest } from "./sync-posts.ts";
import { formatJson } from "../print.ts";

/** `imprint posts repost <slug>`: a new post in place of one that the service can't change. */
export async function postsRepostCommand({ slug, flags }: SlugArguments, context: CliContext): Promise<ExitCode> {
  const question = `Publish "${slug}" again? The blog then has it twice until you delete the old post in the dashboard, and links to the old address break.`;
  if (!(await confirmChange(question, flags, context))) return 1;
  const { place, left } = await withPostsTarget({ flags, context }, (request) => repost(request, slug));
  if (flags.json === true) {
    context.out.write(formatJson({ version: 1, slug, place, left }));
    return 0;
  }
  context.out.write(`Published again: ${place}\n`);
  for (const old of left) context.out.write(`Delete in the dashboard: ${old}\n`);
  return 0;
}

export interface Reposted {
  /** The address, or the slug where there is none, of the new post. */
  readonly place: string;
  /** Where the posts are that it takes the place of, and that a person has to delete. */
  readonly left: readonly string[];
}

/**
 * Publishes an edited post once more, under another slug, because the service can't change the one that is there. The
 * old one stays until a person deletes it.
 *
 * @throws ImprintError `USAGE` when the post is not one that needs this, and what kept the new post from being published
 */
export async function repost(request: PostsRequest, slug: string): Promise<Reposted> {
  return await withRun({ ...request, only: "posts" }, async (run) => {
    const planned = await planDryRun(run);
    const { blog } = planned.known;
    const post = planned.desired.posts.find((each) => each.slug === slug);
    const change = planned.plan.posts.find(({ name }) => name === slug);
    if (blog === undefined || post === undefined || change?.kind !== "blocked" || change.state !== "edited") {
      const reason = change === undefined ? "there is no such post that is ready" : change.reason;
      throw new ImprintError("USAGE", `"${slug}" is not published anew: ${reason}.`, {
        hint: "This is for posts that were edited since they were posted, where the service can't change them.",
      });
    }
    const repository = await openPostRepository(run.posts.store, blog.id);
    const entry = repository.ledger.entries.get(slug);
    const next = findBegun(repository, post) ?? freeSlug(slug, { planned, repository });
    const created = await sendOnePost({ ...withoutId(post), slug: next }, { run, planned, blogId: blog.id });
    const replaces = [...(entry?.replaces ?? []), entry?.id ?? entry?.remoteSlug ?? slug];
    const { store } = run.posts;
    const written = await openPostRepository(store, blog.id);
    await written.record(
      new Map([
        [next, undefined],
        [slug, { ...created, remoteSlug: created.remoteSlug ?? next, replaces }],
      ]),
    );
    return { place: created.url ?? next, left: change.places };
  });
}

function withoutId(post: SitePost): SitePost {
  const { remoteId: _, ...rest } = post;
  return rest;
}

// A run that was cut off after the new post was there, and before the old one was forgotten.
function findBegun({ ledger }: PostRepository, { file, slug }: SitePost): string | undefined {
  const found = [...ledger.entries].find(([name, entry]) => entry.file === file && isNumbered(name, slug));
  return found?.[0];
}

function isNumbered(name: string, slug: string): boolean {
  return name.startsWith(`${slug}-`) && /^\d+$/.test(name.slice(slug.length + 1));
}

interface Taken {
  readonly planned: PlannedSite;
  readonly repository: PostRepository;
}

function freeSlug(slug: string, { planned, repository }: Taken): string {
  const taken = new Set([
    ...planned.desired.posts.map((post) => post.slug),
    ...planned.local.held.map((held) => held.slug),
    ...repository.ledger.entries.keys(),
    ...[...repository.ledger.entries.values()].map(({ remoteSlug }) => remoteSlug),
    ...(planned.known.posts?.posts ?? []).map(({ record }) => slugOfRecord(record)),
  ]);
  for (let number = 2; ; number++) if (!taken.has(`${slug}-${number}`)) return `${slug}-${number}`;
}

/**
 * Plans one post beside those of the folder, and does what the plan says of it alone.
 *
 * @throws ImprintError what kept the post from being sent, else `POST_UNCERTAIN`
 */
export async function sendOnePost(
  copy: SitePost,
  { run, planned: before, blogId }: { readonly run: Run; readonly planned: DesiredRun; readonly blogId: string },
): Promise<PostEntry> {
  const planned = await planDesired(withPost(before, copy), run);
  const hashes = new Set(copy.assets.map(({ hash }) => hash));
  const plan = {
    ...planned.plan,
    pages: [],
    assets: planned.plan.assets.filter(({ asset }) => hashes.has(asset.hash)),
    posts: planned.plan.posts.filter(({ name }) => name === copy.slug),
  };
  const { prepare } = await prepareEach([], run.request);
  const { outcomes } = await applyRun({ ...planned, plan, prepare }, run, {});
  const failure = outcomes.find(({ error }) => error !== undefined)?.error;
  const entry = (await openPostRepository(run.posts.store, blogId)).ledger.entries.get(copy.slug);
  if (entry !== undefined) return entry;
  const reason = outcomes.find(({ resource }) => resource === "post")?.reason ?? "it was not sent";
  throw failure ?? new ImprintError("POST_UNCERTAIN", `${copy.file} was not published as "${copy.slug}": ${reason}.`);
}

/** What is desired with one more post, and without the pages that are made of posts. */
export function withPost(before: DesiredRun, post: SitePost): DesiredRun {
  const { desired } = before;
  const assets = collectAssets([[...desired.assets.values()], post.assets]);
  return { ...before, desired: { ...desired, assets, posts: [...desired.posts, post], pages: [] } };
}

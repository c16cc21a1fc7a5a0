import { ImprintError } from "../../base/error.ts";
import { sha256 } from "../../base/hash.ts";
import type { PreviewLink } from "../../client/records/account-records.ts";
import { slugOfRecord } from "../../posts/identity/identity.ts";
import type { PostEntry } from "../../posts/memory/ledger.ts";
import { openPostRepository, type PostRepository } from "../../posts/memory/repository.ts";
import type { PostChange } from "../../posts/plan/changes.ts";
import type { SitePost } from "../../posts/post.ts";
import { applyRun } from "../../sync/apply-run.ts";
import { collectAssets } from "../../sync/desired.ts";
import type { DesiredRun } from "../../sync/desired/build-desired.ts";
import { buildPosts } from "../../sync/desired/build-posts.ts";
import { planDesired, planSite, type PlannedSite } from "../../sync/plan-run.ts";
import { prepareEach } from "../../sync/prepare.ts";
import type { Run } from "../../sync/run.ts";
import type { AccountResult, AccountRun } from "../account/account-command.ts";
import { confirmChange } from "../confirm.ts";
import { withPostsRun, withPostsTarget, type PostsRequest } from "./open-posts.ts";

/** `imprint posts repost <slug>`: publishes a new post in place of one that the service can't change. */
export async function repostCommand({ args: [slug = ""], flags, context }: AccountRun): Promise<AccountResult> {
  const question = `Publish "${slug}" again? The blog keeps both posts until you delete the old one in the dashboard. Then links to the old address break.`;
  if (!(await confirmChange(question, flags, context))) return { document: "", exitCode: 1 };
  const { place, left } = await withPostsTarget({ flags, context }, (request) => repost(request, slug));
  const lines = [`Published again: ${place}`, ...left.map((old) => `Delete in the dashboard: ${old}`)];
  return { json: { version: 1, slug, place, left }, text: `${lines.join("\n")}\n` };
}

/** `imprint posts preview <slug>`: creates a link that shows a draft to a colleague. */
export async function previewCommand({ args: [slug = ""], flags, context }: AccountRun): Promise<AccountResult> {
  const expiresInDays = flags.days === undefined ? undefined : parseDays(flags.days);
  const share = { slug, expiresInDays };
  const { url, expiresAt } = await withPostsTarget({ flags, context }, (request) => shareDraft(request, share));
  return { json: { url, expiresAt }, text: `${url}\nExpires ${expiresAt.toISOString()}.\n` };
}

const MAX_DAYS = 30;

function parseDays(text: string): number {
  const days = Number(text);
  if (/^\d+$/.test(text) && days >= 1 && days <= MAX_DAYS) return days;
  throw new ImprintError("USAGE", `--days is "${text}".`, { hint: `Use a whole number from 1 to ${MAX_DAYS}.` });
}

export interface Reposted {
  /** The address of the new post, or its slug if there is none. */
  readonly place: string;
  /** Locations of the posts that it replaces, which a person has to delete. */
  readonly left: readonly string[];
}

/**
 * Publishes an edited post again under another slug, because the service can't change the published one. The old one
 * stays until a person deletes it.
 *
 * @throws ImprintError `USAGE` if the post doesn't need this, else the error that prevented publishing the new post
 */
export async function repost(request: PostsRequest, slug: string): Promise<Reposted> {
  return await withPostsRun(request, async (run) => {
    const planned = await planSite(run);
    const { blog } = planned.known;
    const post = planned.desired.posts.find((each) => each.slug === slug);
    const change = planned.plan.posts.find(({ name }) => name === slug);
    if (blog === undefined || post === undefined || change?.kind !== "blocked" || change.state !== "edited") {
      const reason = change === undefined ? "there is no such post that is ready to publish" : change.reason;
      throw new ImprintError("USAGE", `"${slug}" was not republished: ${reason}.`, {
        hint: "Use this for posts that were edited after publication, on a service that can't change posts.",
      });
    }
    const repository = await openPostRepository(run.posts.store, blog.id);
    const entry = repository.ledger.entries.get(slug);
    const next = findBegun(repository, post) ?? freeSlug(slug, { planned, repository });
    const created = await sendOnePost({ ...withoutId(post), slug: next }, { run, planned, blogId: blog.id });
    const replaces = [...(entry?.replaces ?? []), entry?.id ?? entry?.remoteSlug ?? slug];
    const written = await openPostRepository(run.posts.store, blog.id);
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

// An earlier run was interrupted after it created the new post and before it forgot the old one.
function findBegun({ ledger }: PostRepository, { file, slug }: SitePost): string | undefined {
  const found = [...ledger.entries].find(([name, entry]) => entry.file === file && isNumbered(name, slug));
  return found?.[0];
}

function isNumbered(name: string, slug: string): boolean {
  return name.startsWith(`${slug}-`) && /^\d+$/.test(name.slice(slug.length + 1));
}

function freeSlug(
  slug: string,
  { planned, repository }: { readonly planned: PlannedSite; readonly repository: PostRepository },
): string {
  const taken = new Set([
    ...planned.desired.posts.map((post) => post.slug),
    ...planned.local.held.map((held) => held.slug),
    ...repository.ledger.entries.keys(),
    ...[...repository.ledger.entries.values()].map(({ remoteSlug }) => remoteSlug),
    ...(planned.known.posts?.posts ?? []).map(({ record }) => slugOfRecord(record)),
  ]);
  for (let number = 2; ; number++) if (!taken.has(`${slug}-${number}`)) return `${slug}-${number}`;
}

export interface DraftToShare {
  readonly slug: string;
  /** Default: 7. */
  readonly expiresInDays?: number | undefined;
}

/**
 * Sends a draft or a scheduled post to the service as a draft, and creates a link that shows it to anyone who has the
 * link. Updates a draft that was sent before. Readers of the blog don't see it; when the post is due, the next sync
 * publishes that same draft.
 *
 * @throws ImprintError `NOT_SUPPORTED` if the service has no preview links, `USAGE` for a post that isn't on hold or
 *   that the service already shows
 */
export async function shareDraft(request: PostsRequest, { slug, expiresInDays }: DraftToShare): Promise<PreviewLink> {
  return await withPostsRun(request, async (run) => {
    const { api } = run;
    if (!api.capabilities.operations.has("previewLinks.create")) {
      throw new ImprintError("NOT_SUPPORTED", `${api.baseUrl} has no preview links.`, {
        hint: "View drafts on this machine with `imprint posts check --watch`.",
      });
    }
    const planned = await planSite(run);
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
  // Differs from the post's own hash, so that publishing the post later counts as an edit of this draft, even if only
  // the marker in the sent HTML records it.
  return { ...draft, status: "draft", sourceHash: sha256(`draft\n${post.sourceHash}`) };
}

function withoutHeld(planned: DesiredRun, slug: string): DesiredRun {
  const { desired } = planned;
  const { blog } = desired;
  const posts = desired.posts.filter((post) => post.slug !== slug);
  const held = planned.local.held.filter((each) => each.slug !== slug);
  return { ...planned, desired: { ...desired, posts, pages: [], blog: blog && { ...blog, held } } };
}

/** Returns the ID of the blog; throws if sending the draft would change what readers see. */
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

/**
 * Plans one post together with those of the folder, and applies only its own changes.
 *
 * @throws ImprintError the error that prevented sending the post, else `POST_UNCERTAIN`
 */
async function sendOnePost(
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
  const { failures: _, ...ready } = await prepareEach([], run.request);
  const { outcomes } = await applyRun({ ...planned, plan, ...ready }, run, {});
  const failure = outcomes.find(({ error }) => error !== undefined)?.error;
  const entry = (await openPostRepository(run.posts.store, blogId)).ledger.entries.get(copy.slug);
  if (entry !== undefined) return entry;
  const reason = outcomes.find(({ resource }) => resource === "post")?.reason ?? "it was not sent";
  throw failure ?? new ImprintError("POST_UNCERTAIN", `${copy.file} was not published as "${copy.slug}": ${reason}.`);
}

/** Adds a post to what is desired, and removes the pages that are built from posts. */
function withPost(before: DesiredRun, post: SitePost): DesiredRun {
  const { desired } = before;
  const assets = collectAssets([[...desired.assets.values()], post.assets]);
  return { ...before, desired: { ...desired, assets, posts: [...desired.posts, post], pages: [] } };
}

import { ImprintError } from "../../base/error.ts";
import { attempt, isAreaRefusal } from "../../base/outcome.ts";
import { pollUntil, SHOWN_AFTER_MS } from "../../base/poll-until.ts";
import type { Blog } from "../../client/api.ts";
import { failureOf, outcomeOf } from "../../client/transport/outcome.ts";
import type { BlogCreateBody } from "../../contract/operations/blogs.ts";
import { applyAndProbe, applyPosts } from "../../posts/apply/apply.ts";
import type { Probed } from "../../posts/apply/probe-upsert.ts";
import { createPayloads, createPostAddresses } from "../../posts/apply/payloads.ts";
import type { PostsPort } from "../../posts/apply/port.ts";
import type { PostsContext } from "../../posts/apply/session.ts";
import type { KnownPosts } from "../../posts/identity/known-posts.ts";
import { openPostRepository } from "../../posts/memory/repository.ts";
import { createPostsPlanner, type PostRules } from "../../posts/plan/plan.ts";
import type { SitePost } from "../../posts/post.ts";
import type { ApplyContext } from "../apply.ts";
import type { BlogChange, Plan } from "../changes.ts";
import type { Desired } from "../desired.ts";
import { readBlog, showsBlogs } from "../known-blog.ts";
import { nameBlogs, wantedPosts } from "../plan.ts";
import { LISTS_LATE, OTHER_BLOG } from "../plan/site.ts";
import { refusedRecord } from "../state.ts";
import type { Owner } from "../project.ts";
import { applyAssets, type Addresses } from "./assets.ts";

/** The posts of a run: desired and known ones, and their environment. */
export interface PostsWork extends PostsPort {
  readonly desired: Pick<Desired, "blog" | "posts">;
  readonly known: KnownPosts | undefined;
  /** The project whose ID is in the marker of each post. */
  readonly owner: Pick<Owner, "project" | "isFresh">;
  readonly rules: PostRules;
  /** If set, tries whether the service updates a post that is sent again, and is called with the result. */
  readonly onProbed?: ((probed: Probed) => void) | undefined;
}

export interface BlogContext extends ApplyContext {
  readonly addresses: Addresses;
  /** ID of the site for a new blog. */
  readonly siteId: string | undefined;
  /** Slugs of pages that could not be published in this run. */
  readonly unpublishedPages: ReadonlySet<string>;
}

/** What a plan does to the blog. */
export type PostsPlan = Pick<Plan, "blog" | "posts" | "spareAssets" | "pages">;

/** Creates the blog if planned, and publishes the posts to it. */
export async function applyBlogPosts(
  { blog: change, posts: changes, spareAssets = [], pages }: PostsPlan,
  context: BlogContext,
): Promise<void> {
  const { posts: work, api, unpublishedPages, pageUrl, onOutcome } = context;
  const blog = work?.desired.blog;
  if (change === undefined || work === undefined || blog === undefined) return;
  const blogId = await applyBlog(change, context);
  if (blogId === undefined) {
    for (const { kind: _, ...rest } of changes) {
      const reason = change.kind === "blocked" ? change.reason : "there is no blog to publish it to";
      onOutcome?.({ resource: "post", kind: "blocked", name: rest.name, reason, status: "skipped" });
    }
    return;
  }
  const { desired, owner, rules, clock, signal, readFailure, writeId } = work;
  const { collection } = blog;
  const { project } = owner;
  const repository = await openPostRepository(work.store, blogId);
  const known = work.known ?? (await readCreated(blogId, work, context));
  const posts = createPostAddresses({ api, repository, known, pageUrl });
  const wanted = wantedPosts(desired.posts, blog, owner);
  let { addresses } = context;
  const addressOf = (hash: string) => addresses.get(hash);
  async function supply({ assets }: SitePost): Promise<void> {
    const needed = new Set(assets.map(({ hash }) => hash).filter((hash) => !addresses.has(hash)));
    const lacking = spareAssets.filter(({ asset }) => needed.has(asset.hash));
    if (lacking.length > 0) addresses = await applyAssets(lacking, context, addresses);
  }
  const postsContext: PostsContext = {
    api,
    blogId,
    clock,
    signal,
    readFailure,
    repository,
    blogIsNew: change.kind === "create",
    known,
    writeId,
    newKey: work.store.newId,
    wanted,
    plan: (view) => createPostsPlanner(wanted, view, { ...rules, addressOf }),
    payload: createPayloads({ api, addressOf, supply, collection, project, unpublishedPages, posts }),
    addresses: posts,
    addressOf,
    deletedPages: findDeleted(pages, pageUrl),
    onOutcome: (outcome) => onOutcome?.(outcome),
  };
  if (work.onProbed === undefined) await applyPosts(changes, postsContext);
  else work.onProbed(await applyAndProbe(changes, postsContext));
}

const CREATED_AFTER_MS: readonly number[] = [...SHOWN_AFTER_MS, 6000, 10_000];

/** Reads a blog that was just created, which a replica of the service may not know yet. */
async function readCreated(blogId: string, work: PostsWork, { api }: Pick<BlogContext, "api">): Promise<KnownPosts> {
  const { clock, signal, desired } = work;
  const read = await pollUntil(() => readBlog(blogId, { api, port: work, local: desired.posts }).catch(toMissing), {
    isEnough: (seen) => !(seen instanceof Error),
    pausesMs: CREATED_AFTER_MS,
    sleep: (ms) => clock.sleep(ms, signal),
  });
  if (!(read instanceof Error)) return read;
  const hint = `The blog ${blogId} was created, but the service doesn't show it yet. ${LISTS_LATE.hint}`;
  throw new ImprintError(read.code, read.message, { cause: read, hint });
}

function toMissing(error: unknown): ImprintError {
  if (error instanceof ImprintError && failureOf(error)?.status === 404) return error;
  throw error;
}

function findDeleted(pages: Plan["pages"], pageUrl: BlogContext["pageUrl"]): ReadonlySet<string> {
  const slugs = pages.flatMap((page) => (page.kind === "delete" ? [page.known.slug] : []));
  return new Set(slugs.flatMap((slug) => pageUrl(slug) ?? []));
}

// If the service doesn't list blogs, nothing shows whether a creation without a response succeeded.
async function createBlog(
  blog: BlogCreateBody,
  { api, store, namesakes, clock }: BlogContext & { readonly namesakes: readonly string[] },
): Promise<Blog> {
  if (!showsBlogs(api)) store.rememberIds({ blogId: null });
  await store.announceRecord("blogs", namesakes, clock.now());
  await store.save();
  try {
    return await api.blogs.create(blog);
  } catch (error) {
    if (outcomeOf(error) !== "ambiguous") store.rememberRecord("blogs", { blogId: undefined });
    if (!isAreaRefusal(error) || !REFUSES_ANOTHER.has(failureOf(error)?.status)) throw error;
    throw await nameOtherBlogs(error, api);
  }
}

const REFUSES_ANOTHER: ReadonlySet<number | undefined> = new Set([402, 403, 409, 422]);

/** A service that allows no further blog may have one to publish to. */
async function nameOtherBlogs(refusal: ImprintError, api: BlogContext["api"]): Promise<ImprintError> {
  const { items } = await api.blogs.list().catch(() => ({ items: [] }));
  const isListed = api.capabilities.operations.has("blogs.list");
  if (isListed && items.length === 0) return refusal;
  const listed = isListed ? `: ${nameBlogs(items)}` : "";
  const hint = `${refusal.hint} Or set \`posts.blog.id\` to publish to an existing blog${listed}.`;
  return new ImprintError(refusal.code, refusal.message, { cause: refusal, hint });
}

/** Returns the ID of the blog; `undefined` if there is none to publish to. */
async function applyBlog(change: BlogChange, context: BlogContext): Promise<string | undefined> {
  if (change.kind === "blocked") {
    context.onOutcome?.({ resource: "blog", ...change, status: "skipped" });
    return undefined;
  }
  if (change.kind === "keep") {
    context.store.rememberRecord("blogs", { blogId: change.known.id });
    const { name, reason, known } = change;
    context.records.found("blogs", known);
    context.onOutcome?.({ resource: "blog", kind: "keep", name, reason, status: "done", url: known.url });
    return change.known.id;
  }
  const { namesakes, desired } = change;
  const { name, slug } = desired;
  let id: string | undefined;
  const outcome = await attempt({ resource: "blog", ...change }, async () => {
    const blog = await createBlog({ name, slug, siteId: context.siteId }, { ...context, namesakes });
    if (blog.mayBeOther === true) {
      const reason = `the service returned its existing blog "${blog.name ?? blog.id}" (${blog.id}) instead of creating one`;
      context.store.refuse(refusedRecord("blog"), reason, "record");
      context.store.rememberRecord("blogs", { blogId: undefined });
      return { kind: "blocked", reason, hint: OTHER_BLOG, status: "skipped" };
    }
    id = blog.id;
    context.store.rememberRecord("blogs", { blogId: blog.id });
    await context.store.save();
    context.records.wrote("blogs", blog.name === name && blog.slug === slug ? blog : undefined);
    return { url: blog.url };
  });
  context.onOutcome?.(outcome);
  return id;
}

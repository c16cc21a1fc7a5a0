import { listFirstNames, listNames } from "../base/list-names.ts";
import type { Blog, Capabilities } from "../client/api.ts";
import { isTrashStatus } from "../contract/dialect.ts";
import { noPosts } from "../posts/identity/known-posts.ts";
import type { DesiredBlog } from "../posts/local/desire-blog.ts";
import type { PostChange } from "../posts/plan/changes.ts";
import { holdLinkers, orderCreations } from "../posts/plan/creation-order.ts";
import { planPosts, type WantedPosts } from "../posts/plan/plan.ts";
import type { SitePost } from "../posts/post.ts";
import type { SiteAsset } from "../site/model.ts";
import type { AssetChange, Plan, BlogChange } from "./changes.ts";
import { withNested, type Desired } from "./desired.ts";
import type { Known } from "./known.ts";
import type { UnavailableBlog } from "./known-blog.ts";
import { isOfRefusedType, LINK_ELSEWHERE, planAssets } from "./plan/assets.ts";
import { findObstacles, planPages, withoutLostRedirects, type Obstacles } from "./plan/pages.ts";
import { LISTS_LATE, OTHER_BLOG, planBrandKit, planSite } from "./plan/site.ts";
import type { Owner } from "./project.ts";
import { refusedRecord, type State } from "./state.ts";

/** The user's settings for potentially harmful changes. */
export interface PlanRules {
  readonly prune: "report" | boolean;
  readonly maxDeleteShare: number;
  readonly adopt: boolean;
  /** The user's limit for pages, in bytes; `undefined` for the service's limit. */
  readonly maxHtmlBytes?: number | undefined;
}

export interface PlanInput {
  readonly desired: Desired;
  readonly known: Known;
  readonly state: State;
  readonly capabilities: Capabilities;
  readonly rules: PlanRules;
  /** Sizes of large images that the library doesn't accept, as they would be sent, by hash. */
  readonly sentBytes?: ReadonlyMap<string, number> | undefined;
}

/**
 * Computes the plan. Pure: the same input gives the same plan.
 *
 * @throws ImprintError `PRUNE_REFUSED` if more pages would be deleted than `maxDeleteShare` allows
 */
export function planChanges(asked: PlanInput): Omit<Plan, "limits"> {
  const input = withoutLostRedirects(asked);
  const obstacles = holdFirst(findObstacles(input), input);
  const { desired } = input;
  const isSite = desired.only === undefined;
  const isHeld = isSite && hasOnlyObstacles(desired, obstacles);
  const isDoubtful = isHeld && [...obstacles.values()].every(({ isTaken }) => isTaken === true);
  const held = { ...input, isHeld, isDoubtful };
  const [blog, posts] = [planBlog(held), planBlogPosts(held)];
  const brandKit = isHeld ? undefined : planBrandKit(input);
  const wanted = isSite ? neededAssets(desired, obstacles) : [...desired.assets.values()];
  const ofPosts = findOnlyInPosts(desired);
  const needed = wanted.filter((asset) => !ofPosts.has(asset.hash) || !isOfRefusedType(asset, input.capabilities));
  const { assets, spareAssets } = splitUnused(planAssets(input, needed), { blog, posts, brandKit }, desired);
  return {
    site: isHeld || !isSite ? undefined : planSite(input),
    assets,
    spareAssets,
    pages: planPages(input, { assets, obstacles, linked: findLinked(posts, input.known) }),
    blog,
    posts,
    brandKit,
  };
}

/** Returns the hashes of files that only posts use. */
function findOnlyInPosts({ assets, pages, posts, brandKit }: Desired): ReadonlySet<string> {
  const hashes = [...pages.flatMap((page) => page.assets), ...(brandKit?.assets ?? [])];
  const others = withNested(hashes, (hash) => assets.get(hash));
  return new Set(posts.flatMap((post) => post.assets.map(({ hash }) => hash).filter((hash) => !others.has(hash))));
}

/** Returns the slugs of pages that pointers link to, except pointers that are deleted. */
function findLinked(changes: readonly PostChange[], { posts }: Pick<Known, "posts">): ReadonlySet<string> {
  const deleted = new Set(changes.flatMap(({ kind, name }) => (kind === "delete" ? [name] : [])));
  const entries = [...(posts?.ledger.entries ?? [])];
  return new Set(
    entries.flatMap(([slug, { pointsTo }]) =>
      pointsTo === undefined || deleted.has(slug) || posts?.gone.has(slug) === true ? [] : [pointsTo],
    ),
  );
}

// If a first publish finds other pages at its slugs, the whole site is on hold until a person has decided about them: a
// partial site beside another's pages is useless, and its posts can't be changed later.
function holdFirst(obstacles: Obstacles, input: PlanInput): Obstacles {
  const { desired, known } = input;
  const taken = [...obstacles].flatMap(([name, { isTaken }]) => (isTaken === true ? [name] : []));
  const [name] = taken;
  if (!(known.owner.isUncertain || known.owner.isFirst) || name === undefined) return obstacles;
  if (areOnlyOthers(taken, input)) return obstacles;
  const slug = known.pages.get(name)?.record.slug ?? name;
  const reason = `the page at ${slug} may not belong to this project, so nothing of the site is sent until that is resolved`;
  const adopt = known.owner.isUncertain ? " or run `imprint adopt`" : "";
  const hint = `Resolve the problem of ${name} first. If imprint.lock.json was lost, restore it${adopt}.`;
  return new Map(desired.pages.map(({ slug }) => [slug, obstacles.get(slug) ?? { reason, hint }]));
}

/**
 * Whether the pages at the slugs of a first publish are certainly somebody else's: the service shows their HTML, which
 * has neither imprint's marker nor the title of this project's page, and few of its slugs are taken. If the project
 * had only lost its memory, the slugs of its home page and most other pages would be taken.
 */
function areOnlyOthers(taken: readonly string[], { desired, known }: PlanInput): boolean {
  const isOthers = (slug: string) => {
    const page = known.pages.get(slug);
    if (page?.origin !== "foreign" || page.isUnproven === true) return false;
    return page.record.slug === slug && !isTrashStatus(page.record.status);
  };
  const pages = desired.pages.filter(({ redirect }) => redirect === undefined);
  const home = pages.find(({ route }) => route === "/")?.slug;
  return (
    !known.owner.isUncertain && !taken.includes(home ?? "") && taken.length * 2 < pages.length && taken.every(isOthers)
  );
}

/** Whether none of the site's pages is published. */
function hasOnlyObstacles({ pages }: Pick<Desired, "pages">, obstacles: Obstacles): boolean {
  return pages.length > 0 && pages.every(({ slug }) => obstacles.has(slug));
}

/** Returns the files that the library needs: all except those of pages that aren't published. */
function neededAssets({ assets, pages, posts, brandKit }: Desired, obstacles: Obstacles): readonly SiteAsset[] {
  if (obstacles.size === 0) return [...assets.values()];
  if (hasOnlyObstacles({ pages }, obstacles)) return [];
  const hashes = [
    ...pages.flatMap((page) => (obstacles.has(page.slug) ? [] : page.assets)),
    ...posts.flatMap((post) => post.assets.map(({ hash }) => hash)),
    ...(brandKit?.assets ?? []),
  ];
  const needed = withNested(hashes, (hash) => assets.get(hash));
  return [...assets.values()].filter(({ hash }) => needed.has(hash));
}

/**
 * Splits off new files that only unchanged posts use, because those posts were sent with other files: a build publishes
 * the images that Astro generated, but a run without a build finds those in the Markdown file. A blog or brand kit that
 * is blocked needs no files.
 */
function splitUnused(
  changes: readonly AssetChange[],
  planned: Pick<Plan, "blog" | "posts" | "brandKit">,
  { assets, pages, posts, brandKit }: Desired,
): Pick<Plan, "assets" | "spareAssets"> {
  // What was sent with a post is sent again if the library has lost it.
  const sent = new Map(
    planned.posts.flatMap((change) =>
      change.kind === "keep" && change.state === "unchanged" ? [[change.post?.slug, change.entry.files]] : [],
    ),
  );
  const hashesOf = (post: SitePost) => post.assets.map(({ hash }) => hash);
  const needed = (planned.blog?.kind === "blocked" ? [] : posts).flatMap((post) => {
    const files = sent.get(post.slug);
    return files === undefined ? hashesOf(post) : hashesOf(post).filter((hash) => hash.slice(0, 8) in files);
  });
  const ofKit = brandKit?.assets ?? [];
  const neededByKit = planned.brandKit?.kind === "blocked" ? [] : ofKit;
  const hashes = [...needed, ...pages.flatMap((page) => page.assets), ...neededByKit];
  const used = withNested(hashes, (hash) => assets.get(hash));
  const others = new Set([...posts.flatMap(hashesOf), ...ofKit]);
  const isSpare = ({ kind, asset: { hash } }: AssetChange) => kind === "create" && !used.has(hash) && others.has(hash);
  return { assets: changes.filter((change) => !isSpare(change)), spareAssets: changes.filter(isSpare) };
}

/** What the posts of a plan are based on. */
export interface BlogInput {
  readonly desired: Pick<Desired, "blog" | "posts">;
  readonly known: Pick<
    Known,
    | "areListsLate"
    | "assets"
    | "blog"
    | "posts"
    | "blogHolder"
    | "namesakeBlogs"
    | "unreadBlogs"
    | "renamedBlog"
    | "lostBlog"
    | "isBlogLate"
    | "unavailableBlog"
    | "otherBlog"
    | "mayHaveBlog"
    | "owner"
    | "refused"
  >;
  readonly state: Pick<State, "refused">;
  readonly capabilities: Capabilities;
  readonly rules: { readonly prune: "report" | boolean };
  /** Whether the whole site is on hold in this run, so that no blog or post is created either. Default: false. */
  readonly isHeld?: boolean;
  /** Whether that is because all of its pages may be another project's. Default: false. */
  readonly isDoubtful?: boolean;
}

export function planBlog({ desired, known, state, capabilities, isHeld = false }: BlogInput): BlogChange | undefined {
  const wanted = desired.blog;
  if (wanted === undefined) return undefined;
  const refusal = known.refused.blogs;
  if (refusal !== undefined) return { kind: "blocked", name: wanted.name, reason: refusal };
  if (known.unavailableBlog !== undefined) return unavailable(wanted.name, known.unavailableBlog);
  if (known.isBlogLate === true) {
    const reason = "an earlier run created the blog, but the service doesn't show it yet";
    return { kind: "blocked", name: wanted.name, reason, hint: LISTS_LATE.hint };
  }
  if (known.lostBlog !== undefined) {
    const reason = `the service has no blog ${known.lostBlog}, whose ID is in imprint.lock.json`;
    return { kind: "blocked", name: wanted.name, reason, hint: RENAME_BLOG };
  }
  if (known.otherBlog !== undefined) {
    const reason = `the blog with the ID ${known.otherBlog} in imprint.lock.json seems to be a different one now: it has posts, but none of this project's`;
    return { kind: "blocked", name: wanted.name, reason, hint: RENAME_BLOG };
  }
  if (known.blogHolder !== undefined) return heldByAnother(wanted.name, known.blogHolder);
  const { status } = known.blog ?? {};
  if (isTrashStatus(status)) {
    const reason = `the blog is in the service's trash (its status is ${status}), so readers don't see its posts`;
    return { kind: "blocked", name: wanted.name, reason, hint: TRASHED_BLOG };
  }
  if (known.blog !== undefined) {
    return { kind: "keep", name: wanted.name, reason: "the service has it", known: known.blog };
  }
  if (isHeld) return { kind: "blocked", name: wanted.name, reason: "the site is on hold" };
  if (known.areListsLate === true) return { kind: "blocked", name: wanted.name, ...LISTS_LATE };
  if (known.renamedBlog !== undefined) return ofOtherName(wanted.name, known.renamedBlog);
  const namesakes = known.namesakeBlogs ?? [];
  const ofName = `the service has a blog named "${wanted.name}" (${namesakes.join(", ")}) that may not be this project's`;
  if (known.mayHaveBlog) {
    const unknown =
      "this project may have a blog there, but imprint.lock.json doesn't contain its ID, and the service can't list blogs";
    const hint =
      "Set `posts.blog.id` to the ID of the blog, or restore imprint.lock.json. If there is no blog yet, create one in the service's dashboard.";
    return { kind: "blocked", name: wanted.name, reason: namesakes.length > 0 ? ofName : unknown, hint };
  }
  if (namesakes.length > 0 && wanted.create !== true) {
    const hint =
      "Set `posts.blog.id` to its ID to publish to it, or `posts.blog.create: true` to create another one with this name.";
    return { kind: "blocked", name: wanted.name, reason: ofName, hint };
  }
  const returned = state.refused[refusedRecord("blog")];
  if (returned !== undefined && wanted.create !== true) {
    return { kind: "blocked", name: wanted.name, reason: returned, hint: OTHER_BLOG };
  }
  if (wanted.create ?? capabilities.operations.has("blogs.list")) {
    const { unreadBlogs = 0 } = known;
    const unread = unreadBlogs === 0 ? "" : ` among those that were read; ${unreadBlogs} weren't`;
    const found =
      namesakes.length > 0
        ? "none of the service's blogs with this name is known to be this project's"
        : "the service has no such blog";
    const reason = found + unread;
    return { kind: "create", name: wanted.name, reason, desired: wanted, namesakes };
  }
  return {
    kind: "blocked",
    name: wanted.name,
    reason: "this route set can't list blogs, so creating one could create a duplicate",
    hint: "Set `posts.blog.id`, or `posts.blog.create: true` if there is no blog yet.",
  };
}

function unavailable(name: string, { id, refusal, listed = [] }: UnavailableBlog): BlogChange {
  const others = listed.length === 0 ? "" : `; it has ${nameBlogs(listed)}`;
  const reason = refusal ?? `the service has no blog with the ID ${id}${others}`;
  return { kind: "blocked", name, reason, hint: "Correct `posts.blog.id`, or remove it." };
}

/** Lists blogs with their IDs, for users to copy. */
export function nameBlogs(blogs: readonly Blog[]): string {
  return listFirstNames(blogs.map(({ id, name, slug }) => `${id} (${name ?? slug ?? "without a name"})`));
}

function ofOtherName(name: string, { id, slug, ...blog }: Blog): BlogChange {
  const reason = `the blog ${id} (${blog.name ?? slug ?? "without a name"}) has posts of this project, and imprint.lock.json is missing`;
  const hint = `Set \`posts.blog.id\` to ${id} to publish to it, or \`posts.blog.create: true\` to create another one.`;
  return { kind: "blocked", name, reason, hint };
}

const RENAME_BLOG =
  "Set `posts.blog.id` to the ID of the blog, or remove `blog` from imprint.lock.json to create a new one.";

const TRASHED_BLOG =
  "Restore it there. If you delete it there permanently, the next publish creates it again with all posts.";

function heldByAnother(name: string, holder: string): BlogChange {
  return {
    kind: "blocked",
    name,
    reason: `the blog with this slug belongs to another project (${holder})`,
    hint: "Set `posts.blog.slug` to publish to a blog of your own, or `posts.blog.id` to publish to that one.",
  };
}

/** Plans the posts of a site. */
export function planBlogPosts(input: BlogInput): readonly PostChange[] {
  const { desired, known, capabilities, rules } = input;
  const blog = planBlog(input);
  if (blog === undefined || desired.blog === undefined) return [];
  if (blog.kind === "blocked")
    return desired.posts.map((post) => ({ ...withoutBlog(post, blog.reason), ...(blog.hint && { hint: blog.hint }) }));
  if (input.isHeld === true && known.owner.isFresh) {
    return desired.posts.map((post) => withoutBlog(post, "the site is on hold"));
  }
  const posts = known.posts ?? noPosts(new Date(0));
  const wanted = wantedPosts(desired.posts, desired.blog, known.owner);
  const addressOf = (hash: string) => known.assets.get(hash)?.url;
  const planned = planPosts(wanted, posts, { capabilities, prune: rules.prune === true, addressOf });
  const hold = (change: PostChange): PostChange => {
    const held = findHold(change, input);
    return held === undefined
      ? change
      : { ...withoutBlog({ slug: change.name, file: change.file }, held.reason), ...held };
  };
  return orderCreations(holdLinkers(planned.map(hold), posts.ledger));
}

/** Returns why a post isn't sent yet, since sending it can't be undone. */
function findHold(
  change: PostChange,
  { isDoubtful, capabilities }: BlogInput,
): { readonly reason: string; readonly hint?: string } | undefined {
  if (change.kind !== "create" && (change.kind !== "update" || change.state === "withdrawn")) return undefined;
  if (isDoubtful === true && change.kind === "create") {
    return { reason: "the pages of the site may belong to another project" };
  }
  const documents = change.post.assets.filter((asset) => isOfRefusedType(asset, capabilities));
  if (documents.length === 0) return undefined;
  const names = listNames(documents.map(({ name }) => name));
  return { reason: `it links to ${names}, and the library accepts only images`, hint: LINK_ELSEWHERE };
}

/** Returns the posts that a project wants in its blog. */
export function wantedPosts(
  posts: Desired["posts"],
  { collection, held, unread, renamedFrom }: DesiredBlog,
  { project, isFresh }: Pick<Owner, "project" | "isFresh">,
): WantedPosts {
  return { posts, collection, project, isFresh, held, unread, renamedFrom };
}

function withoutBlog({ slug, file }: { readonly slug: string; readonly file: string }, reason: string): PostChange {
  return { kind: "blocked", state: "blocked", name: slug, file, reason, places: [] };
}

import { ImprintError, type ErrorCode } from "../base/error.ts";
import { isAreaRefusal } from "../base/outcome.ts";
import { mapPool } from "../base/pool.ts";
import type { Blog, ImprintApi } from "../client/api.ts";
import { failureOf } from "../client/transport/outcome.ts";
import type { SitePost } from "../posts/post.ts";
import type { Desired } from "./desired.ts";
import type { PostEntry } from "../posts/memory/ledger.ts";
import { openPostRepository } from "../posts/memory/repository.ts";
import { knowPosts, type KnownPosts } from "../posts/identity/known-posts.ts";
import type { Owner } from "./project.ts";
import { isSamePost, isSameSource, isSameTitle, slugOfRecord, type RemotePost } from "../posts/identity/identity.ts";
import { postUid } from "../posts/identity/marker.ts";
import { createShingles, NEARLY_ALL_WORDS, shareOf } from "../posts/identity/resemblance.ts";
import type { PostsPort } from "../posts/apply/port.ts";
import { recallRecord } from "./counted-records.ts";
import { isWithinLag } from "./lateness.ts";
import { isCount } from "./own-records.ts";
import { findBegun, type State } from "./state.ts";
import type { DesiredBlog } from "../posts/local/desire-blog.ts";

/** The blog that posts go to, if it exists. */
export interface KnownBlog {
  readonly blog: Blog | undefined;
  readonly posts: KnownPosts | undefined;
  /** ID of a remembered blog that the service no longer has, if blogs can't be listed. */
  readonly lostBlog?: string | undefined;
  /** The blog that the options name, if the service doesn't have it or doesn't open it to this key. */
  readonly unavailableBlog?: UnavailableBlog | undefined;
  /** Whether an earlier run created the blog, but the service doesn't show it yet. */
  readonly isBlogLate?: boolean | undefined;
  /** ID of a remembered blog that is somebody else's now, if blogs can't be listed. */
  readonly otherBlog?: string | undefined;
  /** ID of the project whose blog has the wanted slug. */
  readonly blogHolder?: string | undefined;
  /** IDs of blogs that have the wanted name, but show neither a slug nor any evidence that they are ours. */
  readonly namesakeBlogs?: readonly string[] | undefined;
  /** How many other blogs weren't read, which may be ours under another name. */
  readonly unreadBlogs?: number | undefined;
  /** A blog with another name and slug that has this project's posts, if no memory names the blog. */
  readonly renamedBlog?: Blog | undefined;
  /** ID of the project, recognized by its posts because no local state has it. */
  readonly claimed?: string | undefined;
}

/** A blog that the options name, and that can't be published to. */
export interface UnavailableBlog {
  readonly id: string;
  /** The service's message, if it refused the blog; `undefined`: it has no such blog. */
  readonly refusal?: string;
  /** The blogs that the service lists; `undefined` if it can't list them. */
  readonly listed?: readonly Blog[];
}

export interface BlogQuestion {
  readonly api: ImprintApi;
  /** State of earlier runs. */
  readonly state: Pick<State, "project" | "blogId" | "seenChanges" | "begun" | "createdAt">;
  readonly owner: Pick<Owner, "project" | "isFresh" | "others">;
  readonly port: PostsPort;
  /** Whether a project has pages on the service, and none at our slugs. */
  publishesElsewhere(project: string): Promise<boolean>;
}

const NO_BLOG: KnownBlog = { blog: undefined, posts: undefined };
const REFUSALS: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  "AREA_REFUSED",
  "SERVICE_REFUSED",
  "SERVICE_WRONG_ADDRESS",
]);

/** Finds the blog and reads its posts. Writes nothing. */
export async function readRemoteBlog(
  { blog: wanted, posts }: Pick<Desired, "blog" | "posts">,
  question: BlogQuestion,
): Promise<KnownBlog> {
  if (wanted === undefined) return NO_BLOG;
  const local = { local: posts, collection: wanted.collection };
  const found = await findBlog(wanted, { ...question, ...local });
  if (found === undefined) return NO_BLOG;
  if (found.by === "nothing") return { ...NO_BLOG, unavailableBlog: found.unavailable };
  try {
    if (found.by === "name") return await chooseNamesake(found, local, question);
    const { blog, by } = found;
    const { known, claimed, project } = await readClaimed(blog, local, question);
    const isChosen = by !== "id" || wanted.id !== undefined;
    if (!isChosen && !canListBlogs(question.api) && isCount(blog.id) && isOfOthers(known, local, project)) {
      return { ...NO_BLOG, otherBlog: blog.id };
    }
    const blogHolder = by === "id" ? undefined : findHolder(known, project);
    return blogHolder === undefined ? { blog, posts: known, claimed } : { ...NO_BLOG, blogHolder };
  } catch (error) {
    if (isLate(wanted, error, question)) return { ...NO_BLOG, isBlogLate: true };
    if (wanted.id !== undefined) return { ...NO_BLOG, unavailableBlog: findUnavailable(wanted.id, error) };
    // Even if blogs can't be listed, a service may accept a blog's slug in place of its ID. Others refuse it.
    const {
      state: { blogId },
      api,
    } = question;
    const isRefused = error instanceof ImprintError && REFUSALS.has(error.code);
    const mayBeMissing = !showsBlogs(api) || failureOf(error)?.status === 404;
    if (canListBlogs(api) || !isRefused || !mayBeMissing) throw error;
    if (typeof blogId !== "string") return NO_BLOG;
    if (error.code !== "SERVICE_REFUSED") throw error;
    return { ...NO_BLOG, lostBlog: blogId };
  }
}

function isLate({ id }: DesiredBlog, error: unknown, question: BlogQuestion): boolean {
  const { blogId } = question.state;
  const isRemembered = typeof blogId === "string" && (id === undefined || id === blogId);
  return isRemembered && mayBeLate(question) && failureOf(error)?.status === 404;
}

/** Whether a replica may not know yet what another one created. Our own service has none. */
function mayBeLate({ api, state, port }: BlogQuestion): boolean {
  return api.capabilities.account === undefined && isWithinLag(state.createdAt, port.clock);
}

/** Returns why a blog can't be used whose posts can't be read. Throws other errors than refusals. */
function findUnavailable(id: string, error: unknown): UnavailableBlog {
  const status = failureOf(error)?.status ?? 0;
  if (!isAreaRefusal(error) || ![403, 404, 410].includes(status)) throw error;
  return error.code === "SERVICE_REFUSED" && status !== 403 ? { id } : { id, refusal: error.message };
}

function canListBlogs({ capabilities }: ImprintApi): boolean {
  return capabilities.operations.has("blogs.list");
}

/** Whether a service can show that it lacks a blog: by a list, or, like our own, by finding blogs by slug. */
export function showsBlogs(api: ImprintApi): boolean {
  return canListBlogs(api) || api.capabilities.account !== undefined;
}

type FoundBlog =
  /** It has the ID from the options or our memory, or the wanted slug. */
  | { readonly by: "id" | "slug"; readonly blog: Blog }
  | NamedBlogs
  /** The options name another one. */
  | { readonly by: "nothing"; readonly unavailable: UnavailableBlog };

interface NamedBlogs {
  readonly by: "name";
  /** They have only the wanted name. */
  readonly blogs: readonly Blog[];
  /** Others that may be ours by their posts. */
  readonly others: readonly Blog[];
}

// A first publish lists the posts of each.
const MAX_OTHER_BLOGS = 500;
const BLOGS_AT_ONCE = 8;

async function findBlog(wanted: DesiredBlog, question: BlogQuestion & LocalPosts): Promise<FoundBlog | undefined> {
  const { api, state, port } = question;
  const id = wanted.id ?? state.blogId ?? undefined;
  if (!canListBlogs(api)) {
    return { by: id === undefined ? "slug" : "id", blog: { id: id ?? wanted.slug, slug: wanted.slug } };
  }
  const remembered = recallRecord("blogs", { api, state, id });
  if (remembered !== undefined) return { by: "id", blog: remembered };
  const { items } = await api.blogs.list();
  const own = items.find((each) => each.id === id);
  if (own !== undefined && (wanted.id !== undefined || (await mayBeOwn(own, wanted, question)))) {
    return { by: "id", blog: own };
  }
  if (own === undefined && wanted.id !== undefined) return await findUnlisted(wanted, items, question);
  const isRecent = isWithinLag(state.createdAt, port.clock);
  if (id !== undefined && own === undefined && (await mayBeUnlisted(id, { api, isRecent })))
    return { by: "id", blog: { id, slug: wanted.slug } };
  const blog = items.find((each) => each.slug === wanted.slug);
  if (blog !== undefined) return { by: "slug", blog };
  const blogs = items.filter((each) => each !== own && each.slug === undefined && each.name === wanted.name);
  const begun = findBegun(blogs, state.begun?.blogs);
  if (begun !== undefined) return { by: "id", blog: begun };
  if (id !== undefined && own === undefined && blogs.length === 0 && mayBeLate(question))
    return { by: "id", blog: { id, slug: wanted.slug } };
  const isForgotten = id === undefined && (state.project === undefined || state.blogId === null);
  const others = isForgotten && wanted.create !== true ? items.filter((each) => !blogs.includes(each)) : [];
  return { by: "name", blogs, others };
}

/** Finds the blog that the options name if the list lacks it. */
async function findUnlisted(
  { id = "", slug }: DesiredBlog,
  listed: readonly Blog[],
  { api, state, port }: BlogQuestion,
): Promise<FoundBlog> {
  const isRecent = id === state.blogId && isWithinLag(state.createdAt, port.clock);
  try {
    if (await mayBeUnlisted(id, { api, isRecent })) return { by: "id", blog: { id, slug } };
    return { by: "nothing", unavailable: { id, listed } };
  } catch (error) {
    return { by: "nothing", unavailable: { ...findUnavailable(id, error), listed } };
  }
}

// Somebody else's blog may have the ID of ours by chance.
async function mayBeOwn(blog: Blog, wanted: DesiredBlog, question: BlogQuestion & LocalPosts): Promise<boolean> {
  const isOther = blog.slug !== wanted.slug && blog.name !== wanted.name;
  if (!isCount(blog.id) || !isOther) return true;
  const known = await readBlog(blog.id, question);
  const { project } = question.owner;
  if ((blog.slug ?? blog.name) === undefined) return !isOfOthers(known, question, project);
  return holdsOurs(known, question, project) || holdsKnown(known, question);
}

/** Whether a blog has a post that we remember, by its ID and its slug or title. */
function holdsKnown({ posts, ledger }: KnownPosts, { local }: LocalPosts): boolean {
  const titles = new Map(local.map(({ slug, title }) => [slug, title]));
  return posts.some(({ record }) =>
    [...ledger.entries].some(([slug, entry]) => {
      const isNamed = [undefined, slug, entry.remoteSlug].includes(slugOfRecord(record));
      return isSamePost(record, { slug, entry }) && (isNamed || isSameTitle(record.title, titles.get(slug)));
    }),
  );
}

/** Whether a blog in which we published has only others' posts. Its list may lack posts that readers still see. */
function isOfOthers(known: KnownPosts, local: LocalPosts, project: string): boolean {
  const { posts, ledger, gone } = known;
  if (posts.length === 0 || ledger.entries.size === 0) return false;
  const isAway = (slug: string, entry: PostEntry) =>
    gone.has(slug) || posts.some(({ record }) => isSamePost(record, { slug, entry }));
  if (![...ledger.entries].every(([slug, entry]) => isAway(slug, entry))) return false;
  return !holdsOurs(known, local, project) && !holdsKnown(known, local);
}

// The list may lag behind the run that created the blog, which may have ended before it sent a post. Without posts, the
// response may also be that to an unknown blog.
async function mayBeUnlisted(
  id: string,
  { api, isRecent }: { readonly api: ImprintApi; readonly isRecent: boolean },
): Promise<boolean> {
  try {
    return (await api.posts.list(id)).items.length > 0 || isRecent;
  } catch (error) {
    if (failureOf(error)?.status === 404) return false;
    throw error;
  }
}

/** Reads a blog, and determines the project of its posts. */
async function readClaimed({ id }: Blog, local: LocalPosts, question: BlogQuestion) {
  const { owner } = question;
  const known = await readBlog(id, { ...question, ...local });
  const named = owner.isFresh ? claimByPosts(known, local) : undefined;
  const isOther = named !== undefined && (owner.others.has(named) || (await question.publishesElsewhere(named)));
  const claimed = isOther ? undefined : named;
  return { known, claimed, project: claimed ?? owner.project };
}

/** Chooses the blog that has our posts, as anybody may use the same name for a blog. */
async function chooseNamesake(
  { blogs, others }: NamedBlogs,
  local: LocalPosts,
  question: BlogQuestion,
): Promise<KnownBlog> {
  for (const blog of blogs) {
    const found = await findOurs(blog, local, question);
    if (found !== undefined) return { blog, ...found };
  }
  const namesakeBlogs = blogs.map(({ id }) => id);
  for (let start = 0; start < Math.min(others.length, MAX_OTHER_BLOGS); start += BLOGS_AT_ONCE) {
    const some = others.slice(start, start + BLOGS_AT_ONCE);
    const read = await mapPool(some, BLOGS_AT_ONCE, async (blog) => {
      const found = await findOurs(blog, local, question).catch(ignoreRefusal);
      return found === undefined ? undefined : { renamedBlog: blog, claimed: found.claimed };
    });
    const renamed = read.find((each) => each !== undefined);
    if (renamed !== undefined) return { ...NO_BLOG, namesakeBlogs, ...renamed };
  }
  return { ...NO_BLOG, namesakeBlogs, unreadBlogs: Math.max(0, others.length - MAX_OTHER_BLOGS) };
}

async function findOurs(blog: Blog, local: LocalPosts, question: BlogQuestion) {
  const { known, claimed, project } = await readClaimed(blog, local, question);
  return claimed !== undefined || holdsOurs(known, local, project) ? { posts: known, claimed } : undefined;
}

/** Somebody else's blog may be closed to this key. */
function ignoreRefusal(error: unknown): undefined {
  if (!isAreaRefusal(error)) throw error;
}

/** Whether a post of a blog names our project, or at least half of those that name none are ours by content. */
function holdsOurs({ posts }: KnownPosts, { local }: LocalPosts, project: string): boolean {
  if (posts.some(({ marker }) => marker?.project === project)) return true;
  const isVersion = createVersionTest();
  const unnamed = posts.filter(({ marker }) => marker?.project === undefined);
  const same = unnamed.filter((remote) => local.some((post) => isVersion(post, remote)));
  return same.length > 0 && same.length * 2 >= posts.length;
}

/** Returns the project of the blog's posts if none of them is ours. */
function findHolder({ posts }: KnownPosts, project: string): string | undefined {
  const projects = posts.map(({ marker }) => marker?.project);
  return projects.includes(project) ? undefined : projects.find((each) => each !== undefined);
}

interface LocalPosts {
  readonly local: Desired["posts"];
  readonly collection: string;
}

/** Returns the project that published at least half of the posts with our names or texts, as we would publish them. */
function claimByPosts({ posts }: KnownPosts, { local, collection }: LocalPosts): string | undefined {
  const uids = new Set(local.map(({ slug }) => postUid({ collection, slug })));
  const isVersion = createVersionTest();
  const named = posts.flatMap((remote) => {
    const { marker } = remote;
    if (marker?.project === undefined) return [];
    const isSame = local.some((post) => isVersion(post, remote));
    return isSame || uids.has(marker.uid) ? [{ project: marker.project, isSame }] : [];
  });
  for (const [project, found] of Map.groupBy(named, (post) => post.project)) {
    const same = found.filter(({ isSame }) => isSame).length;
    if (same > 0 && same * 2 >= found.length) return project;
  }
  return undefined;
}

/** Tests whether a listed post is a local one: it has its text, or nearly all of its words and its title or day. */
function createVersionTest(): (post: SitePost, remote: RemotePost) => boolean {
  const shinglesFor = createShingles();
  return (post, remote) => {
    const { sourceHash, title, publishedAt } = post;
    const { marker, record, html } = remote;
    if (marker !== undefined && isSameSource(sourceHash, marker.source)) return true;
    const isSameDay = publishedAt !== undefined && record.publishedAt?.getTime() === publishedAt.getTime();
    if (html === undefined || !(isSameDay || isSameTitle(record.title, title))) return false;
    return shareOf(shinglesFor(post, post.html), shinglesFor(remote, html)) >= NEARLY_ALL_WORDS;
  };
}

/** Reads the posts of a blog, with what is remembered about them. */
export async function readBlog(
  blogId: string,
  { api, port, local }: Pick<BlogQuestion, "api" | "port"> & { readonly local: Desired["posts"] },
): Promise<KnownPosts> {
  const { ledger } = await openPostRepository(port.store, blogId);
  const { clock, signal, waits } = port;
  return await knowPosts({ api, blogId, clock, signal }, { ledger, local, waits });
}

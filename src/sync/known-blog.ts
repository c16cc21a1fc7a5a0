import { ImprintError, type ErrorCode } from "../base/error.ts";
import type { Blog, ImprintApi } from "../client/api.ts";
import { failureOf } from "../client/transport/outcome.ts";
import type { SitePost } from "../posts/post.ts";
import type { Desired } from "./desired.ts";
import { openPostRepository } from "../posts/memory/repository.ts";
import { knowPosts, type KnownPosts } from "../posts/identity/known-posts.ts";
import type { Owner } from "./project.ts";
import { isSameSource, isSameTitle, type RemotePost } from "../posts/identity/identity.ts";
import { postUid } from "../posts/identity/marker.ts";
import { createShingles, NEARLY_ALL_WORDS, shareOf } from "../posts/identity/resemblance.ts";
import type { PostsPort } from "../posts/apply/port.ts";
import { recallRecord } from "./seen.ts";
import type { State } from "./state.ts";
import type { DesiredBlog } from "../posts/local/desire-blog.ts";

/** The blog that posts go to, as far as it is there. */
export interface KnownBlog {
  readonly blog: Blog | undefined;
  readonly posts: KnownPosts | undefined;
  /** Id of a remembered blog that the service does not have any more, where blogs can't be listed. */
  readonly lostBlog?: string | undefined;
  /** Id of the project whose blog has the wanted slug. */
  readonly blogHolder?: string | undefined;
  /** Id of the project, recognized by its posts because nothing here remembers it. */
  readonly claimed?: string | undefined;
}

export interface BlogQuestion {
  readonly api: ImprintApi;
  /** What an earlier run remembered. */
  readonly state: Pick<State, "blogId" | "seenChanges">;
  readonly owner: Pick<Owner, "project" | "isFresh">;
  readonly port: PostsPort;
}

const NO_BLOG: KnownBlog = { blog: undefined, posts: undefined };
const REFUSALS: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  "AREA_REFUSED",
  "SERVICE_REFUSED",
  "SERVICE_WRONG_ADDRESS",
]);

/** Looks for the blog and reads its posts. Sends no write. */
export async function readRemoteBlog(
  { blog: wanted, posts }: Pick<Desired, "blog" | "posts">,
  question: BlogQuestion,
): Promise<KnownBlog> {
  if (wanted === undefined) return NO_BLOG;
  const found = await findBlog(wanted, question);
  if (found === undefined) return NO_BLOG;
  const { blog, isOwn } = found;
  try {
    const known = await readBlog(blog.id, { ...question, local: posts });
    const claimed = question.owner.isFresh
      ? claimByPosts(known, { local: posts, collection: wanted.collection })
      : undefined;
    const project = claimed ?? question.owner.project;
    const blogHolder = isOwn ? undefined : findHolder(known, project);
    return blogHolder === undefined ? { blog, posts: known, claimed } : { ...NO_BLOG, blogHolder };
  } catch (error) {
    // Where blogs can't be listed, a service may still take a blog's slug for its id. One that does not refuses it.
    const {
      state: { blogId },
      api,
    } = question;
    const isRefused = error instanceof ImprintError && REFUSALS.has(error.code);
    const mayBeMissing = !showsBlogs(api) || failureOf(error)?.status === 404;
    if (wanted.id !== undefined || canListBlogs(api) || !isRefused || !mayBeMissing) throw error;
    if (typeof blogId !== "string") return NO_BLOG;
    if (error.code !== "SERVICE_REFUSED") throw error;
    return { ...NO_BLOG, lostBlog: blogId };
  }
}

function canListBlogs({ capabilities }: ImprintApi): boolean {
  return capabilities.operations.has("blogs.list");
}

/** Whether a service shows that it has no blog of a slug: in a list, or as our own does, which finds blogs by slug. */
export function showsBlogs(api: ImprintApi): boolean {
  return canListBlogs(api) || api.capabilities.account !== undefined;
}

interface FoundBlog {
  readonly blog: Blog;
  /** Whether the options or our memory name it; else it only has the wanted slug. */
  readonly isOwn: boolean;
}

async function findBlog(wanted: DesiredBlog, { api, state }: BlogQuestion): Promise<FoundBlog | undefined> {
  const id = wanted.id ?? state.blogId ?? undefined;
  const isOwn = id !== undefined;
  if (!canListBlogs(api)) {
    return { blog: { id: id ?? wanted.slug, slug: wanted.slug }, isOwn };
  }
  const remembered = recallRecord("blogs", { api, state, id });
  if (remembered !== undefined) return { blog: remembered, isOwn };
  const { items } = await api.blogs.list();
  const own = items.find((each) => each.id === id);
  if (own !== undefined) return { blog: own, isOwn };
  const named =
    items.find((each) => each.slug === wanted.slug) ??
    items.find((each) => each.slug === undefined && each.name === wanted.name);
  return named === undefined ? undefined : { blog: named, isOwn: false };
}

/** The project whose posts the blog holds, when none of them is ours. */
function findHolder({ posts }: KnownPosts, project: string): string | undefined {
  const projects = posts.map(({ marker }) => marker?.project);
  return projects.includes(project) ? undefined : projects.find((each) => each !== undefined);
}

interface LocalPosts {
  readonly local: Desired["posts"];
  readonly collection: string;
}

/** The project that published at least half of those posts that have our names or texts, as we would publish them. */
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

/** Whether a listed post is a local one: its text, or nearly all of its words under its title or day. */
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

/** Reads the posts of a blog with what is remembered of them. */
export async function readBlog(
  blogId: string,
  { api, port, local }: Pick<BlogQuestion, "api" | "port"> & { readonly local: Desired["posts"] },
): Promise<KnownPosts> {
  const { ledger } = await openPostRepository(port.store, blogId);
  const { clock, signal, waits } = port;
  return await knowPosts({ api, blogId, clock, signal }, { ledger, local, waits });
}

import { ImprintError } from "../../base/error.ts";
import type { ErrorCode } from "../../base/error-table.ts";
import type { Blog, ImprintApi } from "../../client/api.ts";
import type { Desired, DesiredBlog } from "../desired.ts";
import { openPostKeeper } from "./keeper.ts";
import { knowPosts } from "./known-posts.ts";
import type { KnownPosts } from "./known-posts.ts";
import type { PostsPort } from "./port.ts";

/** The blog that posts go to, as far as it is there. */
export interface KnownBlog {
  readonly blog: Blog | undefined;
  readonly posts: KnownPosts | undefined;
}

export interface BlogQuestion {
  readonly api: ImprintApi;
  /** Id that an earlier run remembered. */
  readonly blogId: string | undefined;
  readonly port: PostsPort;
}

const NO_BLOG: KnownBlog = { blog: undefined, posts: undefined };
const REFUSALS: ReadonlySet<ErrorCode> = new Set<ErrorCode>(["SERVICE_REFUSED", "SERVICE_WRONG_ADDRESS"]);

/** Looks for the blog and reads its posts. Sends no write. */
export async function knowBlog(
  { blog: wanted, posts }: Pick<Desired, "blog" | "posts">,
  question: BlogQuestion,
): Promise<KnownBlog> {
  if (wanted === undefined) return NO_BLOG;
  const blog = await findBlog(wanted, question);
  if (blog === undefined) return NO_BLOG;
  try {
    return { blog, posts: await readBlog(blog.id, { ...question, local: posts }) };
  } catch (error) {
    // Where blogs can't be listed, a service may still take a blog's slug for its id. One that does not refuses it.
    const isGuess = blog.id === wanted.slug && wanted.id === undefined;
    if (isGuess && error instanceof ImprintError && REFUSALS.has(error.code)) return NO_BLOG;
    throw error;
  }
}

async function findBlog(wanted: DesiredBlog, { api, blogId }: BlogQuestion): Promise<Blog | undefined> {
  const id = wanted.id ?? blogId;
  if (!api.capabilities.operations.has("blogs.list")) return { id: id ?? wanted.slug, slug: wanted.slug };
  const { items } = await api.blogs.list();
  return (
    items.find((each) => each.id === id) ??
    items.find((each) => each.slug === wanted.slug) ??
    items.find((each) => each.slug === undefined && each.name === wanted.name)
  );
}

/** Reads the posts of a blog with what is remembered of them. */
export async function readBlog(
  blogId: string,
  { api, port, local }: Pick<BlogQuestion, "api" | "port"> & { readonly local: Desired["posts"] },
): Promise<KnownPosts> {
  const { ledger } = await openPostKeeper(port.store, blogId);
  const { clock, signal, waits } = port;
  const wanted = local.map(({ slug }) => slug);
  const sources = new Map(local.map(({ slug, sourceHash }) => [slug, sourceHash]));
  return await knowPosts({ api, blogId, clock, signal }, { ledger, wanted, sources, waits });
}

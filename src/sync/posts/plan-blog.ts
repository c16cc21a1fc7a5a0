import type { BlogChange } from "../changes.ts";
import type { Capabilities } from "../../client/api.ts";
import type { Desired } from "../desired.ts";
import type { KnownBlog } from "./know-blog.ts";
import type { PostChange } from "./changes.ts";
import { noPosts } from "./known-posts.ts";
import { orderCreations } from "./creation-order.ts";
import { planPosts } from "./plan.ts";

/** What the posts of a plan are decided from. */
export interface BlogInput {
  readonly desired: Pick<Desired, "blog" | "posts">;
  readonly known: KnownBlog;
  readonly capabilities: Capabilities;
  readonly rules: { readonly prune: "report" | boolean };
}

export function planBlog({ desired, known, capabilities }: BlogInput): BlogChange | undefined {
  const wanted = desired.blog;
  if (wanted === undefined) return undefined;
  if (known.blog !== undefined) {
    return { kind: "keep", name: wanted.name, reason: "the service has it", known: known.blog };
  }
  if (wanted.create ?? capabilities.operations.has("blogs.list")) {
    return { kind: "create", name: wanted.name, reason: "the service has no such blog", desired: wanted };
  }
  return {
    kind: "blocked",
    name: wanted.name,
    reason: "this route set can't list blogs, so that creating one could make a second",
    hint: "Set `posts.blog.id`, or `posts.blog.create: true` if there is no blog yet.",
  };
}

/** The posts of a site's plan. */
export function planBlogPosts(input: BlogInput): readonly PostChange[] {
  const { desired, known, capabilities, rules } = input;
  const blog = planBlog(input);
  if (blog === undefined || desired.blog === undefined) return [];
  if (blog.kind === "blocked") return desired.posts.map((post) => withoutBlog(post, blog.reason));
  const { collection, held, unread } = desired.blog;
  const posts = known.posts ?? noPosts(new Date(0));
  const wanted = { posts: desired.posts, collection, held, unread };
  return orderCreations(planPosts(wanted, posts, { capabilities, prune: rules.prune === true }));
}

function withoutBlog({ slug, file }: { readonly slug: string; readonly file: string }, reason: string): PostChange {
  return { kind: "blocked", state: "blocked", name: slug, file, reason, places: [] };
}

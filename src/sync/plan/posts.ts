import type { Post } from "../../client/api.ts";
import type { SitePost } from "../../site/model.ts";
import type { BlogChange, PostChange } from "../changes.ts";
import type { PlanInput } from "../plan.ts";
import { postMarkerOf } from "../post-marker.ts";

export function planBlog({ desired, known, capabilities }: PlanInput): BlogChange | undefined {
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

// A post can't be deleted, so that a duplicate would stay for ever: nothing is created unless the list of posts is
// known to be whole, and nothing is matched by title alone.
export function planPosts(input: PlanInput): readonly PostChange[] {
  const blog = planBlog(input);
  if (blog?.kind === "blocked") {
    return input.desired.posts.map((post) => ({ kind: "blocked", name: post.slug, reason: blog.reason, post }));
  }
  return input.desired.posts.map((post) => planPost(post, input));
}

function planPost(post: SitePost, input: PlanInput): PostChange {
  const matches = findMatches(post, input);
  const [match, other] = matches;
  if (match === undefined) return planCreation(post, input);
  const name = post.slug;
  if (other !== undefined) {
    const places = matches.map((found) => found.url ?? found.id ?? "?").join(", ");
    return { kind: "blocked", name, reason: `the blog has ${matches.length} posts of this slug: ${places}`, post };
  }
  return planMatched(post, match, input);
}

function findMatches(post: SitePost, { known, state }: PlanInput): readonly Post[] {
  const posts = known.posts?.items ?? [];
  const rememberedId = state.posts[post.slug]?.id;
  const byId = posts.filter((candidate) => candidate.id !== undefined && candidate.id === rememberedId);
  return byId.length > 0 ? byId : posts.filter((candidate) => candidate.slug === post.slug);
}

function planCreation(post: SitePost, { known, state }: PlanInput): PostChange {
  const name = post.slug;
  if (state.posts[post.slug] !== undefined) {
    return {
      kind: "blocked",
      name,
      reason: "it was published before and is gone from the blog",
      hint: "It is not published again by itself, since somebody may have removed it on purpose.",
      post,
    };
  }
  const listing = known.posts;
  if (listing !== undefined && !isWhole(listing.items.length, listing)) {
    return {
      kind: "blocked",
      name,
      reason: "the service's list of posts may be cut, and a post that is already there would be published twice",
      post,
    };
  }
  return { kind: "create", name, reason: "the blog has no such post", post };
}

const USUAL_PAGE_SIZES = new Set([10, 20, 25, 30, 50, 100, 200, 250, 500, 1000]);

function isWhole(read: number, listing: { readonly total: number | undefined; readonly end: "said" | "assumed" }) {
  if (listing.total !== undefined) return listing.total <= read;
  return listing.end === "said" || !USUAL_PAGE_SIZES.has(read);
}

function planMatched(post: SitePost, known: Post, { state, capabilities }: PlanInput): PostChange {
  const name = post.slug;
  const published = state.posts[post.slug]?.sourceHash ?? postMarkerOf(known.html ?? "")?.sourceHash;
  if (published === undefined) {
    const same = normalized(known.title) === normalized(post.title);
    return same
      ? { kind: "keep", name, reason: "the blog has a post of this slug and title", post, known }
      : { kind: "blocked", name, reason: "the blog has another post of this slug", post };
  }
  if (post.sourceHash.startsWith(published) || published.startsWith(post.sourceHash)) {
    return { kind: "keep", name, reason: "nothing changed", post, known };
  }
  if (capabilities.operations.has("posts.patch")) {
    return { kind: "update", name, reason: "it was edited since it was posted", post, known };
  }
  return {
    kind: "blocked",
    name,
    reason: "it was edited since it was posted, and this service can't change a post",
    hint: `Change it in the service's dashboard${known.url === undefined ? "" : `: ${known.url}`}.`,
    post,
  };
}

function normalized(title: string | undefined): string {
  return (title ?? "").normalize("NFC").toLowerCase().replace(/\s+/g, " ").trim();
}

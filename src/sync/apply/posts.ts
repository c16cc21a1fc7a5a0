import { fillPlaceholders } from "../../html/placeholders.ts";
import type { Post } from "../../client/api.ts";
import type { PostCreateBody } from "../../contract/requests.ts";
import type { SitePost } from "../../site/model.ts";
import type { ApplyContext } from "../apply.ts";
import type { BlogChange, PostChange } from "../changes.ts";
import { withPostMarker } from "../post-marker.ts";
import { sha256 } from "../../base/hash.ts";
import { ImprintError } from "../../base/error.ts";
import type { Addresses } from "./assets.ts";
import { attempt } from "./attempt.ts";

/** Gives the id of the blog; `undefined` when there is none to publish to. */
export async function applyBlog(change: BlogChange, context: ApplyContext): Promise<string | undefined> {
  if (change.kind === "blocked") {
    context.onOutcome?.({ resource: "blog", ...change, status: "skipped" });
    return undefined;
  }
  if (change.kind === "keep") {
    context.keeper.rememberIds({ blogId: change.known.id });
    const { name, reason, known } = change;
    context.onOutcome?.({ resource: "blog", kind: "keep", name, reason, status: "done", url: known.url });
    return change.known.id;
  }
  const { name, slug } = change.desired;
  let id: string | undefined;
  const outcome = await attempt({ resource: "blog", ...change }, async () => {
    const blog = await context.api.blogs.create({ name, slug }, { signal: context.signal });
    id = blog.id;
    context.keeper.rememberIds({ blogId: blog.id });
    await context.keeper.save();
    return { url: blog.url };
  });
  context.onOutcome?.(outcome);
  return id;
}

interface PostsContext extends ApplyContext {
  readonly addresses: Addresses;
  readonly blogId: string | undefined;
}

/**
 * Publishes posts strictly one at a time, each written down before the next is sent: a post can't be deleted. Before
 * the first creation the blog is listed again, since another run may have published meanwhile.
 */
export async function applyPosts(planned: readonly PostChange[], context: PostsContext): Promise<void> {
  const { api, blogId, replanPosts, signal } = context;
  const creates = blogId !== undefined && planned.some((change) => change.kind === "create");
  const changes = creates ? replanPosts(await api.posts.list(blogId, { signal })) : planned;
  for (const change of changes) {
    if (change.kind === "blocked" || context.blogId === undefined) {
      const reason = change.kind === "blocked" ? change.reason : "there is no blog to publish it to";
      context.onOutcome?.({ resource: "post", ...summary(change), reason, status: "skipped" });
    } else if (change.kind === "keep") {
      context.keeper.rememberPost(change.post.slug, { sourceHash: change.post.sourceHash, id: change.known.id });
      context.onOutcome?.({ resource: "post", ...summary(change), status: "done", url: change.known.url });
    } else {
      await writePost(change, { ...context, blogId: context.blogId });
    }
  }
}

async function writePost(
  change: Extract<PostChange, { kind: "create" | "update" }>,
  context: PostsContext & { readonly blogId: string },
): Promise<void> {
  const { post } = change;
  const outcome = await attempt({ resource: "post", ...summary(change) }, async () => {
    const body = postBody(post, context);
    const record = await sendPost(change, { body, context });
    context.keeper.rememberPost(post.slug, { sourceHash: post.sourceHash, id: record.id });
    await context.keeper.save();
    return { url: record.url, bytes: Buffer.byteLength(body.html ?? "") };
  });
  context.onOutcome?.(outcome);
}

function sendPost(
  change: Extract<PostChange, { kind: "create" | "update" }>,
  { body, context }: { readonly body: PostCreateBody; readonly context: PostsContext & { readonly blogId: string } },
): Promise<Post> {
  const { api, blogId, signal } = context;
  if (change.kind === "create") {
    const idempotencyKey = sha256(`imprint-post-create\n${blogId}\n${body.slug}`);
    return api.posts.create(blogId, body, { signal, idempotencyKey });
  }
  const { slug, ...fields } = body;
  return api.posts.update(blogId, slug, fields, { signal });
}

function postBody(post: SitePost, { addresses }: PostsContext): PostCreateBody {
  const missing = post.assets.filter((asset) => !addresses.has(asset.hash));
  if (missing.length > 0) {
    const names = missing.map((asset) => asset.name).join(", ");
    throw new ImprintError("ASSET_MISSING", `${post.file} uses files that could not be uploaded: ${names}.`);
  }
  const addressOf = (hash: string) => addresses.get(hash) ?? "";
  return {
    slug: post.slug,
    title: post.title,
    html: withPostMarker(fillPlaceholders(post.html, addressOf), post.sourceHash),
    status: post.status,
    tags: [...post.tags],
    excerpt: post.excerpt,
    author: post.author,
    canonicalUrl: post.canonicalUrl,
    publishedAt: post.publishedAt?.toISOString(),
    coverImage: post.cover === undefined ? undefined : addressOf(post.cover.hash),
  };
}

function summary(change: PostChange) {
  const { kind, name, reason } = change;
  return {
    kind,
    name,
    reason,
    ...(change.kind === "blocked" && change.hint !== undefined ? { hint: change.hint } : {}),
  };
}

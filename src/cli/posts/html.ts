import { ImprintError } from "../../base/error.ts";
import type { CliContext, ExitCode } from "../context.ts";
import { openLocalPosts } from "./open-posts.ts";
import type { SlugArguments } from "../posts-commands.ts";
import { fillPostPlaceholders, findPostPlaceholders } from "../../html/post-placeholders.ts";
import type { SiteAsset } from "../../site/model.ts";
import { createStateFiles } from "../../sync/state-store.ts";
import { readPostsFolder, type LocalPostsRequest } from "./sync-posts.ts";

/** `imprint posts html <slug>`: the body of a post on the output, notes on the error stream. */
export async function postsHtmlCommand({ slug, flags }: SlugArguments, context: CliContext): Promise<ExitCode> {
  const post = await renderPostHtml(await openLocalPosts(flags, context), slug);
  if (post === undefined) throw new ImprintError("USAGE", `There is no post "${slug}" that is ready to be published.`);
  context.out.write(`${post.html.trimEnd()}\n`);
  for (const { name, hash } of post.images) {
    context.error.write(`! ${name} stands as imprint-asset:${hash} and has to be uploaded in the dashboard.\n`);
  }
  for (const other of post.lost) {
    context.error.write(`! The link to ${other} is left out: its address in the blog is not known here.\n`);
  }
  return 0;
}

/** The body of a post for a person to take elsewhere. */
export interface PostHtml {
  /** Images stand in it as `imprint-asset:<hash>`. */
  readonly html: string;
  readonly images: readonly SiteAsset[];
  /** Slugs of posts that it links to and whose address is not known here: those links are left out. */
  readonly lost: readonly string[];
}

/** Renders one post without a service; `undefined` when there is none of this slug that is ready. */
export async function renderPostHtml(request: LocalPostsRequest, slug: string): Promise<PostHtml | undefined> {
  const { posts: local } = await readPostsFolder(request);
  const post = local.posts.find((each) => each.slug === slug);
  if (post === undefined) return undefined;
  const { posts = {} } = await createStateFiles(request.projectRoot, "").readLock();
  const addressOf = (other: string) => {
    return Object.values(posts).flatMap((blog) => blog.posts[other]?.url ?? [])[0];
  };
  return {
    html: fillPostPlaceholders(post.html, addressOf),
    images: post.assets,
    lost: findPostPlaceholders(post.html).filter((other) => addressOf(other) === undefined),
  };
}

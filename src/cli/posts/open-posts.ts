import { resolve } from "node:path";
import { ImprintError } from "../../base/error.ts";
import { readEnvironment } from "../../target/environment.ts";
import { createSiteRenderer } from "../../posts/render/render-markdown.ts";
import type { LocalPostsRequest, PostsRequest } from "./sync-posts.ts";
import { openTarget, parseOptions, type Options } from "../../publish.ts";
import type { CliContext } from "../context.ts";
import { readProject } from "../project.ts";
import type { PostsFlags } from "../posts-commands.ts";
import { optionsFromFlags } from "../shared-flags.ts";
import { createCliLogger } from "../terminal.ts";

export interface LocalRequest extends LocalPostsRequest {
  /** Folder of the posts, relative to the project. */
  readonly folder: string;
}

/** Reads the project. A project whose options do not mention posts has them where Astro's blog template has them. */
export async function openLocalPosts(flags: PostsFlags, context: CliContext): Promise<LocalRequest> {
  const project = await readProject(resolve(context.cwd, flags.root ?? "."));
  const options = parseOptions({ posts: {}, ...project.options, ...optionsFromFlags(flags) });
  const { markdown, base, root } = project;
  return {
    projectRoot: root,
    options,
    folder: folderOf(options),
    hints: { base },
    markdown: createSiteRenderer(root, markdown),
    signal: context.signal,
    logger: createCliLogger(context),
  };
}

/** Opens the service for a posts command and closes it afterwards. */
export async function withPostsTarget<Result>(
  { flags, context }: { readonly flags: PostsFlags; readonly context: CliContext },
  work: (request: PostsRequest) => Promise<Result>,
): Promise<Result> {
  const local = await openLocalPosts(flags, context);
  const environment = await readEnvironment(local.projectRoot, context.environment);
  const target = await openTarget(local.options, { projectRoot: local.projectRoot, environment });
  try {
    return await work({ ...local, target });
  } finally {
    await target.close();
  }
}

function folderOf({ posts }: Options): string {
  if (posts !== false) return posts.folder;
  throw new ImprintError("OPTIONS_INVALID", "The options switch posts off.", {
    hint: "Take `posts: false` out of them.",
  });
}

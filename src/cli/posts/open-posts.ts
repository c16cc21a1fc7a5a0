import { resolve } from "node:path";
import { ImprintError } from "../../base/error.ts";
import { SILENT_LOGGER } from "../../base/log.ts";
import { createSiteRenderer } from "../../posts/render/render-markdown.ts";
import { buildPosts, type BuiltPosts } from "../../sync/desired/build-posts.ts";
import { createPageAddresses } from "../../sync/desired/page-addresses.ts";
import type { Run } from "../../sync/run.ts";
import { createStateFiles } from "../../sync/state-store.ts";
import { readEnvironment } from "../../target/environment.ts";
import { withRun, type OpenRunRequest } from "../../target/open-run.ts";
import { openTarget } from "../../target/target.ts";
import type { AccountFlags, AccountRun } from "../account/account-command.ts";
import type { CliContext } from "../context.ts";
import { optionsOf, parseProjectOptions, readProject } from "../project.ts";
import { optionsFromFlags } from "../shared-flags.ts";
import { createCliLogger } from "../terminal.ts";
import { requireService } from "../with-project.ts";

/** A run that works on posts only, without a built site. */
export type PostsRequest = Omit<OpenRunRequest, "only" | "dist" | "preview">;

/** A project whose posts are read without a service. */
export type LocalPostsRequest = Omit<PostsRequest, "target" | "connection">;

/** Reads the project. If its options don't mention posts, they are in the folder of Astro's blog template. */
export async function openLocalPosts(flags: AccountFlags, context: CliContext) {
  const project = await readProject(resolve(context.cwd, flags.root ?? "."));
  const environment = await readEnvironment(project.root, context.environment);
  const withPosts = { ...project, options: { posts: {}, ...project.options } };
  const written = parseProjectOptions(withPosts, optionsFromFlags(flags));
  const options = optionsOf(project, written, environment);
  if (options.posts === false) {
    throw new ImprintError("OPTIONS_INVALID", "Posts are disabled in the options.", {
      hint: "Remove `posts: false`.",
    });
  }
  const { markdown, base, root, configFile } = project;
  return {
    projectRoot: root,
    configFile,
    options,
    environment,
    /** Folder of the posts, relative to the project. */
    folder: options.posts.folder,
    hints: { base },
    markdown: createSiteRenderer(root, markdown),
    signal: context.signal,
    logger: createCliLogger(context),
  };
}

/** Opens the service for a posts command and closes it afterwards. */
export async function withPostsTarget<Result>(
  { flags, context }: Pick<AccountRun, "flags" | "context">,
  work: (request: PostsRequest) => Promise<Result>,
): Promise<Result> {
  const { environment, configFile, ...local } = await openLocalPosts(flags, context);
  requireService({ ...local, configFile, environment });
  const target = await openTarget(local.options, { projectRoot: local.projectRoot, environment });
  try {
    return await work({ ...local, target, connection: context.connection });
  } finally {
    await target.close();
  }
}

export function withPostsRun<Result>(request: PostsRequest, work: (run: Run) => Promise<Result>): Promise<Result> {
  return withRun({ ...request, only: "posts" }, work);
}

export async function readPostsFolder(
  request: LocalPostsRequest,
  reads: "due" | "everything" = "due",
): Promise<BuiltPosts> {
  const lock = await createStateFiles(request.projectRoot, "").readLock();
  const addresses = createPageAddresses({
    options: request.options,
    target: { pagesUrl: undefined },
    capabilities: undefined,
  });
  const project = { request: { logger: SILENT_LOGGER, onStep: () => {}, dryRun: true, ...request }, built: undefined };
  return await buildPosts({ ...project, memory: { lock } }, { addresses, reads });
}

export function noReadyPost(slug: string): ImprintError {
  return new ImprintError("USAGE", `There is no post "${slug}" that is ready to publish.`, {
    hint: "`imprint posts plan` lists the posts, and why some aren't ready.",
  });
}

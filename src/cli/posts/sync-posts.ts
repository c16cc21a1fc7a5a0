import { SILENT_LOGGER } from "../../base/log.ts";
import type { ProbeResult } from "../../posts/apply/repeated-posts.ts";
import { publish } from "../../publish.ts";
import { buildPosts, type BuiltPosts } from "../../sync/desired/build-posts.ts";
import { createPageAddresses } from "../../sync/desired/page-addresses.ts";
import type { PlannedSite } from "../../sync/plan-run.ts";
import { createStateFiles } from "../../sync/state-store.ts";
import type { OpenRunRequest } from "../../target/open-run.ts";
import type { Outcome } from "../../base/outcome.ts";

/** A run that works on posts only, without a built site. */
export interface PostsRequest extends Omit<OpenRunRequest, "only" | "dist" | "preview"> {
  /**
   * Whether one edited post is sent again to find out whether the service then changes it. A service that makes a second
   * post instead keeps that for good. Default: false.
   */
  readonly probes?: boolean;
  readonly onOutcome?: (outcome: Outcome) => void;
}

/** A project whose posts are read without a service. */
export type LocalPostsRequest = Omit<PostsRequest, "target" | "connection">;

export interface PostsRun extends Pick<PlannedSite, "plan" | "local" | "known"> {
  readonly outcomes: readonly Outcome[];
  /** What was found out by sending a post again; `undefined` when it was not tried. */
  readonly probe?: ProbeResult | undefined;
}

/**
 * Publishes the posts of a folder.
 *
 * @throws ImprintError as `publish` does
 */
export async function syncPosts({ probes, onOutcome, ...request }: PostsRequest): Promise<PostsRun> {
  const outcomes: Outcome[] = [];
  let probe: ProbeResult | undefined;
  const { promise, resolve } = Promise.withResolvers<PlannedSite>();
  await publish({
    ...request,
    only: "posts",
    onPlanned: resolve,
    onOutcome(outcome) {
      outcomes.push(outcome);
      onOutcome?.(outcome);
    },
    ...(probes === true ? { onProbed: (result) => void (probe = result) } : {}),
  });
  const { plan, local, known } = await promise;
  return { plan, local, known, outcomes, probe };
}

/** Reads the posts of a folder without a service. */
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

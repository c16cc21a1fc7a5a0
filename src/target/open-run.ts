import { SILENT_LOGGER } from "../base/log.ts";
import type { Capabilities } from "../client/api.ts";
import type { ConnectionOptions } from "../client/options.ts";
import type { Options } from "../options/schema.ts";
import { openPostsPort } from "./open-posts-port.ts";
import { checkPostsFolder } from "../posts/read/find-markdown.ts";
import { readBuiltSite } from "../site/read-site.ts";
import { readPinnedLogos } from "../sync/brand/pinned-logos.ts";
import { findLockedTarget, recallDialect, recallLock } from "../sync/lock.ts";
import { parsePreviewName } from "../sync/preview-name.ts";
import { takeRunLock } from "../memory/process-lock.ts";
import { lockedServiceOf, newProjectId, openRunFiles, withLiveAssets } from "../sync/run-state.ts";
import type { Run, RunRequest } from "../sync/run.ts";
import { connectTarget } from "./connect-target.ts";
import type { Target } from "./target.ts";

export interface OpenRunRequest extends RunRequest {
  /** Absolute path of the built site; not needed for posts only. */
  readonly dist?: string | undefined;
  /** From `openTarget`; the caller closes it. */
  readonly target: Target;
  /**
   * How the service is reached, for tests and unusual networks; `now` and `sleep` are also the time that posts go by.
   * Default: the client's defaults.
   */
  readonly connection?: Pick<ConnectionOptions, "timeoutMs" | "maxAttempts" | "maxThrottledMs" | "sleep" | "now">;
}

/**
 * Reads the built site and the memory of its project, connects to the service, and frees everything after the work. What
 * is no dry run holds the run lock meanwhile.
 *
 * @throws ImprintError `RUN_LOCKED`, `STATE_UNREADABLE`, `STATE_UNWRITABLE`, as `connect` does, and when the built site
 *   can't be read
 */
export async function withRun<Result>(request: OpenRunRequest, work: (run: Run) => Promise<Result>): Promise<Result> {
  if (request.dryRun === true) return openRun(request, work);
  const lock = takeRunLock(request.projectRoot);
  try {
    return await openRun(request, work);
  } finally {
    lock.release();
  }
}

async function openRun<Result>(asked: OpenRunRequest, work: (run: Run) => Promise<Result>): Promise<Result> {
  const preview = asked.preview === undefined ? undefined : parsePreviewName(asked.preview);
  const request = { dryRun: false, logger: SILENT_LOGGER, onStep: () => {}, ...asked, preview };
  const { projectRoot, options, target, dryRun, logger, signal, connection: time, dist, only } = request;
  const { identity } = target;
  const place = { projectRoot, identity, preview };
  const files = openRunFiles({ ...place, logger });
  const isSite = only === undefined && dist !== undefined;
  if (isSite) request.onStep({ kind: "read" });
  const built = isSite ? await readBuiltSite(dist, request.hints) : undefined;
  const pinnedLogos = isSite ? await readPinnedLogos(projectRoot, options) : [];
  if (!dryRun) files.check();
  const [own, lock] = [files.readState(), await files.readLock()];
  const service = lockedServiceOf(target);
  const requests = { total: 0, writes: 0 };
  if (only === "posts" && options.posts !== false) {
    await checkPostsFolder({ root: projectRoot, folder: options.posts.folder });
  }
  const api = await connectTarget(target, {
    initialConcurrency: own.concurrency,
    ...time,
    stop: signal,
    logger,
    dialect: { ...recallDialect(lock, service), ...own.dialect, ...options.dialect },
    onRequest({ method }) {
      requests.total += 1;
      if (method !== "GET" && method !== "HEAD") requests.writes += 1;
    },
  });
  try {
    const name = { service, account: api.capabilities.account?.id };
    const locked = preview === undefined ? findLockedTarget(lock, name) : undefined;
    const state = recallLock(withLiveAssets(own, place), lock, locked);
    const capabilities = limitPages(api.capabilities, options);
    return await work({
      request,
      built,
      pinnedLogos,
      target,
      memory: { files, name, lock, locked, state, freshProject: own.project ?? newProjectId() },
      api,
      capabilities,
      dialect: { ...state.dialect, ...api.dialect },
      posts: openPostsPort(request, { files, identity, capabilities, time }),
      requests: () => ({ ...requests }),
    });
  } finally {
    await api.close();
  }
}

/** What the service can do, with the user's own limit for pages where that is the smaller one. */
function limitPages(capabilities: Capabilities, { maxHtmlBytes }: Options): Capabilities {
  if (maxHtmlBytes === undefined) return capabilities;
  const announced = capabilities.limits["maxPageBytes"] ?? maxHtmlBytes;
  return { ...capabilities, limits: { ...capabilities.limits, maxPageBytes: Math.min(announced, maxHtmlBytes) } };
}

import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { ImprintError } from "../base/error.ts";
import { SILENT_LOGGER } from "../base/log.ts";
import type { Asset, Capabilities, ImprintApi } from "../client/api.ts";
import { connect } from "../client/connect.ts";
import type { ConnectionOptions } from "../client/options.ts";
import { failureOf, outcomeOf } from "../client/transport/outcome.ts";
import { createTextStore } from "../disk/text-store.ts";
import { takeRunLock } from "../memory/process-lock.ts";
import type { Options } from "../options/schema.ts";
import type { PostsPort } from "../posts/apply/port.ts";
import { createPostJournal } from "../posts/memory/journal.ts";
import { checkPostsFolder } from "../posts/read/find-markdown.ts";
import { readBuildHints } from "../site/build-hints.ts";
import { findBuiltRoot, readBuiltSite } from "../site/read-site.ts";
import { readPinnedLogos } from "../sync/brand/pinned-logos.ts";
import { moveAddress, type FileAddresses } from "../sync/desired/page-addresses.ts";
import { findAccount } from "../sync/find-account.ts";
import { findLockedTarget, recallDialect, recallLock, lockedServiceOf, newProjectId } from "../sync/lock.ts";
import { parsePreviewName } from "../sync/preview-name.ts";
import type { Run, RunRequest } from "../sync/run.ts";
import { askEarly } from "../sync/seen.ts";
import { openRunFiles, withLiveAssets, type StateFiles } from "../sync/state-store.ts";
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
  if (!dryRun) files.check();
  const [own, lock] = [files.readState(), await files.readLock()];
  const service = lockedServiceOf(target);
  const requests = { total: 0, writes: 0 };
  if (only === "posts" && options.posts !== false) {
    await checkPostsFolder({ root: projectRoot, folder: options.posts.folder });
  }
  const isSite = only === undefined && dist !== undefined;
  const root = isSite ? findBuiltRoot(dist) : undefined;
  const pinnedLogos = isSite ? await readPinnedLogos(projectRoot, options) : [];
  const giveUp = new AbortController();
  const connecting = connect({
    initialConcurrency: own.concurrency,
    likelyRouteSet: own.routeSet,
    ...time,
    ...target,
    signal: giveUp.signal,
    stop: signal,
    logger,
    dialect: { ...recallDialect(lock, service), ...own.dialect, ...options.dialect },
    onRequest({ method }) {
      requests.total += 1;
      if (method !== "GET" && method !== "HEAD") requests.writes += 1;
    },
  });
  // The service answers while the site is read; without a site there is nothing to ask it.
  if (isSite) request.onStep({ kind: "read" });
  const hints = request.hints ?? (root === undefined ? undefined : readBuildHints(projectRoot, root));
  const reading = root === undefined ? Promise.resolve(undefined) : readBuiltSite(root, hints, projectRoot);
  reading.catch(() => giveUp.abort());
  const asking = connecting.then((connected) => {
    const api = target.files === undefined ? connected : withSteadyFiles(connected, target.files);
    return {
      api,
      early: isSite ? askEarly({ api, state: own }, { brandKits: options.brandKit !== false }) : undefined,
    };
  });
  const [built, connection] = await Promise.allSettled([reading, asking]);
  if (built.status === "rejected") {
    if (connection.status === "fulfilled") await connection.value.api.close();
    throw built.reason;
  }
  if (connection.status === "rejected") throw connection.reason;
  const { api, early } = connection.value;
  const texts = createTextStore();
  try {
    const name = { service, account: api.capabilities.account?.id };
    const locked = preview === undefined ? findLockedTarget(lock, name) : undefined;
    const state = recallLock(withLiveAssets(own, place), lock, locked);
    const capabilities = limitPages(api.capabilities, options);
    const run: Run = {
      request,
      built: built.value,
      pinnedLogos,
      target,
      memory: { files, name, lock, locked, state, freshProject: own.project ?? newProjectId() },
      api,
      early,
      capabilities,
      dialect: { ...state.dialect, ...api.dialect },
      posts: openPosts(request, { files, identity, capabilities, time }),
      texts,
      requests: () => ({ ...requests }),
    };
    return await work(await findAccount(run, identity));
  } finally {
    await Promise.all([texts.close(), api.close()]);
  }
}

/** What the service can do, with the user's own limit for pages where that is the smaller one. */
function limitPages(capabilities: Capabilities, { maxHtmlBytes }: Options): Capabilities {
  if (maxHtmlBytes === undefined) return capabilities;
  const announced = capabilities.limits["maxPageBytes"] ?? maxHtmlBytes;
  return { ...capabilities, limits: { ...capabilities.limits, maxPageBytes: Math.min(announced, maxHtmlBytes) } };
}

// The embedded service has its files on other ports from time to time; here they always have the address that is written
// into pages, so that no page changes with a port.
function withSteadyFiles(api: ImprintApi, { written, answered, reachable }: FileAddresses): ImprintApi {
  const steadyUrl = (url: string) => moveAddress(url, { from: [answered], to: written });
  const steady = (asset: Asset): Asset => ({ ...asset, url: steadyUrl(asset.url) });
  const { assets } = api;
  return {
    ...api,
    // These change while the client is used.
    get capabilities() {
      return api.capabilities;
    },
    get concurrency() {
      return api.concurrency;
    },
    get dialect() {
      return api.dialect;
    },
    assets: {
      ...assets,
      async list(...args) {
        const listing = await assets.list(...args);
        return { ...listing, items: listing.items.map(steady) };
      },
      async newest(...args) {
        const asset = await assets.newest(...args);
        return asset && steady(asset);
      },
      upload: async (...args) => steady(await assets.upload(...args)),
      importFrom: async (...args) => steady(await assets.importFrom(...args)),
      update: async (...args) => steady(await assets.update(...args)),
    },
    releases: {
      ...api.releases,
      async open(request) {
        const opened = await api.releases.open(request);
        return { ...opened, assets: opened.assets.map((asset) => ({ ...asset, url: steadyUrl(asset.url) })) };
      },
    },
    visit: (address, options) => api.visit(moveAddress(address, { from: [written, answered], to: reachable }), options),
  };
}

interface PostsSources {
  readonly files: StateFiles;
  /** Name of the target that stays the same between runs. */
  readonly identity: string;
  readonly capabilities: Capabilities;
  /** The time that the connection goes by. */
  readonly time: OpenRunRequest["connection"];
}

// Posts get their memory, the time, and what the client knows about failures.
function openPosts(
  { projectRoot, options, dryRun, signal }: RunRequest,
  { files, identity, capabilities, time }: PostsSources,
): PostsPort {
  const { now = Date.now, sleep = pause } = time ?? {};
  const writesIds = options.posts !== false && options.posts.writeId;
  return {
    store: {
      lock: files,
      journal: createPostJournal(projectRoot),
      newId: () => randomUUID(),
      target: JSON.stringify([identity, capabilities.account?.id ?? null]),
    },
    clock: { now: () => new Date(now()), sleep },
    readFailure(error) {
      const { status, problemCode, retryAfterMs } = failureOf(error) ?? {};
      return { outcome: outcomeOf(error), status, problemCode, retryAfterMs };
    },
    waits: !dryRun,
    writeId: writesIds ? ({ file }, id) => writeId(join(projectRoot, file), id) : undefined,
    signal,
  };
}

// What reads front matter is loaded with the first id.
async function writeId(file: string, id: string): Promise<string | undefined> {
  const { writePostId } = await import("../posts/write/write-post-id.ts");
  return await writePostId(file, id);
}

async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await wait(ms, undefined, { signal });
  } catch (error) {
    throw new ImprintError("ABORTED", "The run was interrupted while it waited for the service.", { cause: error });
  }
}

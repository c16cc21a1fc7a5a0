import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { ImprintError } from "../base/error.ts";
import { SILENT_LOGGER } from "../base/log.ts";
import type { Asset, Capabilities, ImprintApi } from "../client/api.ts";
import { connectEarly } from "../client/connect.ts";
import type { ConnectionOptions, ConnectOptions } from "../client/options.ts";
import { wantsMarkdown } from "../client/record-form.ts";
import { failureOf, outcomeOf } from "../client/transport/outcome.ts";
import { createTextStore } from "../disk/text-store.ts";
import { acquireRunLock } from "../memory/process-lock.ts";
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
import { requestEarly, type EarlyLists } from "../sync/seen.ts";
import { openRunFiles, withLiveAssets, type StateFiles } from "../sync/state-store.ts";
import type { State } from "../sync/state.ts";
import type { Target } from "./target.ts";

export interface OpenRunRequest extends RunRequest {
  /** Absolute path of the built site; not needed for posts only. */
  readonly dist?: string | undefined;
  /** From `openTarget`; the caller closes it. */
  readonly target: Target;
  /**
   * Connection settings for tests and unusual networks; posts also use `now` and `sleep`. Default: the client's
   * defaults.
   */
  readonly connection?: Pick<ConnectionOptions, "timeoutMs" | "maxAttempts" | "maxThrottledMs" | "sleep" | "now">;
}

/**
 * Reads the built site and the memory of its project, connects to the service, and releases everything after the work.
 * Holds the run lock meanwhile, except in a dry run.
 *
 * @throws ImprintError `RUN_LOCKED`, `STATE_UNREADABLE`, `STATE_UNWRITABLE`, those of `connect`, and errors of reading
 *   the built site
 */
export async function withRun<Result>(request: OpenRunRequest, work: (run: Run) => Promise<Result>): Promise<Result> {
  if (request.dryRun === true) return openRun(request, work);
  const lock = acquireRunLock(request.projectRoot);
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
  if (only === "posts" && options.posts !== false && request.mayLackPosts !== true) {
    await checkPostsFolder({ root: projectRoot, folder: options.posts.folder });
  }
  const isSite = only === undefined && dist !== undefined;
  const root = isSite ? findBuiltRoot(dist) : undefined;
  const pinnedLogos = isSite ? await readPinnedLogos(projectRoot, options) : [];
  const giveUp = new AbortController();
  const connecting = connectWithLists(
    {
      initialConcurrency: own.concurrency,
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
    },
    { state: own, files: target.files, lists: isSite ? { brandKits: options.brandKit !== false } : undefined },
  );
  // Connects while the site is read; without a site, there is nothing to request early.
  if (isSite) request.onStep({ kind: "read" });
  const hints = request.hints ?? (root === undefined ? undefined : readBuildHints(projectRoot, root));
  const reading = root === undefined ? Promise.resolve(undefined) : readBuiltSite(root, hints, projectRoot);
  reading.catch(() => giveUp.abort());
  const [built, connection] = await Promise.allSettled([reading, connecting]);
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

interface ListSources {
  readonly state: State;
  readonly files: FileAddresses | undefined;
  /** Which lists to request early; `undefined` for none. */
  readonly lists: { readonly brandKits: boolean } | undefined;
}

/** Connects, and requests lists as early as possible: with the first request if the service was reached before. */
async function connectWithLists(options: ConnectOptions, { state, files, lists }: ListSources) {
  // Only route set B has a request for new pages, whose format the lock file names.
  const { dialect, library, routeSet = dialect?.newPageBody === undefined ? undefined : "b" } = state;
  // Only our own service counts its files.
  const wasCounted = library !== undefined;
  let guessed: EarlyLists | undefined;
  const steady = (api: ImprintApi) => (files === undefined ? api : withSteadyFiles(api, files));
  const ask = (api: ImprintApi, isCounted: boolean) =>
    lists === undefined ? undefined : requestEarly({ api: steady(api), state }, { ...lists, isCounted });
  const connected = await connectEarly(
    { ...options, likelyRouteSet: wasCounted ? undefined : routeSet },
    routeSet === undefined ? undefined : { routeSet, request: (api) => (guessed = ask(api, wasCounted))?.assets },
  );
  const { account, routeSet: found } = connected.capabilities;
  const isCounted = account !== undefined;
  const isAsGuessed = found === routeSet && isCounted === wasCounted;
  return { api: steady(connected), early: (isAsGuessed ? guessed : undefined) ?? ask(connected, isCounted) };
}

/** Applies the user's own page limit to the capabilities if it is smaller. */
function limitPages(capabilities: Capabilities, { maxHtmlBytes }: Options): Capabilities {
  if (maxHtmlBytes === undefined) return capabilities;
  const announced = capabilities.limits["maxPageBytes"] ?? maxHtmlBytes;
  return { ...capabilities, limits: { ...capabilities.limits, maxPageBytes: Math.min(announced, maxHtmlBytes) } };
}

// The embedded service may serve its files on different ports; here they always have the address that is written to
// pages, so that a different port changes no page.
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
  /** Name of the target, the same in every run. */
  readonly identity: string;
  readonly capabilities: Capabilities;
  /** The clock of the connection. */
  readonly time: OpenRunRequest["connection"];
}

// Provides posts with their memory, the clock, and the client's knowledge of failures.
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
      return { outcome: outcomeOf(error), status, problemCode, retryAfterMs, wantsMarkdown: wantsMarkdown(error) };
    },
    waits: !dryRun,
    writeId: writesIds ? ({ file }, id) => writeId(join(projectRoot, file), id) : undefined,
    signal,
  };
}

// Loads the code that reads front matter with the first ID.
async function writeId(file: string, id: string): Promise<string | undefined> {
  const { writePostId } = await import("../posts/write/write-post-id.ts");
  return await writePostId(file, id);
}

async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await wait(ms, undefined, { signal });
  } catch (error) {
    throw new ImprintError("ABORTED", "The run was interrupted while waiting for the service.", { cause: error });
  }
}

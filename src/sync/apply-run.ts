import { randomUUID } from "node:crypto";
import type { Outcome } from "../base/outcome.ts";
import type { Release } from "../client/records/release-records.ts";
import type { ProbeResult } from "../posts/apply/repeated-posts.ts";
import type { SiteWarning } from "../site/model.ts";
import { applyPlan, type FirstPage } from "./apply.ts";
import type { Addresses } from "./apply/assets.ts";
import { applyBlogPosts } from "./apply/blog.ts";
import { withNested } from "./desired.ts";
import { NOT_FOUND_UNUSED } from "./desired/extra-pages.ts";
import { reachableFile } from "./desired/page-addresses.ts";
import { warnOfExpiry } from "./file-addresses.ts";
import { checkShown } from "./check-shown.ts";
import type { ImprintApi } from "../client/api.ts";
import type { Known } from "./known.ts";
import type { Waiting } from "./lateness.ts";
import { acceptLimits, lockState, pagesStillLocked } from "./lock.ts";
import { isUnserved } from "./plan/assets.ts";
import { planRun, type PlannedRun } from "./plan-run.ts";
import { proveFirstPage, readFiles } from "./prove-first-page.ts";
import { findAcceptable } from "./report/report.ts";
import { describeInterruption } from "./report/words.ts";
import type { Run } from "./run.ts";
import type { StateStore } from "./state-store.ts";

// The client decides how many requests are on the way; this only bounds what is held ready in memory.
const CHANGES_AT_ONCE = 128;

// Few requests say little about how many at a time are too many.
const MANY = 100;

export interface ApplyRequest {
  /** Called after every change. */
  readonly onOutcome?: ((outcome: Outcome, total: number) => void) | undefined;
  /**
   * Sends one edited post again to find out whether the service then changes it, and is called with what it showed;
   * `undefined`: there was nothing to try it with. Absent: nothing is tried.
   */
  readonly onProbed?: ((result: ProbeResult | undefined) => void) | undefined;
  /** Whether what the host can't do is recorded as accepted. */
  readonly accept?: boolean | undefined;
}

/** What a run did. */
export interface AppliedRun {
  /** As it was planned in the end: the first page of a host may have shown more of it. */
  readonly planned: PlannedRun;
  readonly outcomes: readonly Outcome[];
  /** What the lock file says is accepted after the run; `undefined`: as before. */
  readonly accepted: readonly string[] | undefined;
  /** The release that the pages were published with; `undefined`: there was none. */
  readonly release: Pick<Release, "id" | "parent"> | undefined;
  /** What the run found out that is not about one change. */
  readonly warnings: readonly SiteWarning[];
}

/**
 * Does what a plan says and writes down what it learns as it goes. What ends the run early is thrown with a sentence
 * about what was done until then.
 */
export async function applyRun(asked: PlannedRun, run: Run, request: ApplyRequest): Promise<AppliedRun> {
  const { files, name } = run.memory;
  const { preview } = run.request;
  const { slugs, postPages, redirects, known } = asked;
  if (preview === undefined) {
    const lock = await files.readLock();
    // What is sent carries it. Where the service may hold this project under another id, that is found out first.
    const project = known.owner.isUncertain ? lock.project : asked.project;
    await files.writeLock({ ...lock, project, slugs, postPages, redirects });
  }
  const { planned, outcomes, release, warnings } = await applyWithJournal(asked, run, request);
  const accepted = request.accept === true ? findAcceptable(outcomes) : undefined;
  if (preview === undefined) {
    const state = files.readState();
    const isUnseen = planned.desired.only === "posts";
    const still = pagesStillLocked(run.memory.locked, { known: isUnseen ? undefined : planned.known.pages, outcomes });
    const pages = { ...still, ...state.pages };
    const lock = lockState(await files.readLock(), name, { ...state, pages });
    await files.writeLock(accepted === undefined ? lock : acceptLimits(lock, name, accepted));
  }
  return { planned, outcomes, accepted, release, warnings };
}

async function applyWithJournal(asked: PlannedRun, run: Run, { onOutcome, onProbed }: ApplyRequest) {
  const { api, memory, request, built } = run;
  const { files, state } = memory;
  const { project, known, prepare, isSentAsIs, changes } = asked;
  const total = changes.length;
  let planned = asked;
  const outcomes: Outcome[] = [];
  let firstPage: FirstPage | undefined;
  let release: AppliedRun["release"];
  // Planning may have shown that what is remembered is of another account.
  const isProven = api.dialect.html !== undefined || request.preview !== undefined || built === undefined;
  const isSlugProven = request.preview === undefined || areSlugsProven(known, run);
  const store = files.openStore({ state, project, dialect: api.dialect });
  const isUnsure = known.mayHaveBlog && !known.owner.isUncertain;
  // The next run remembers this project, and would hold that it never had a blog. Where it is uncertain, nothing is sent.
  if (isUnsure && built !== undefined && state.blogId === undefined) store.rememberIds({ blogId: null });
  try {
    await applyPlan(asked.plan, {
      api,
      store,
      state,
      project,
      prepare,
      isSentAsIs,
      posts: { ...asked.posts, onProbed },
      applyPosts: applyBlogPosts,
      seen: known.seen,
      parent: known.release,
      replan: async () => {
        planned = await planRun(withoutKnown(run));
        return { ...planned, parent: planned.known.release };
      },
      onReleased: ({ id, parent }) => (release = { id, parent }),
      onStep: request.onStep,
      proveFiles: isProven
        ? undefined
        : async (addresses) => {
            const proven = await proveFiles(addresses, { planned, run, store });
            if (proven !== undefined) planned = proven;
            return proven;
          },
      prove:
        isProven && isSlugProven
          ? undefined
          : async (first) => {
              // A page that is not shown is waited for once.
              const isAwaited = firstPage !== undefined && api.dialect.html === undefined;
              if (first.record !== undefined) firstPage ??= first;
              return (planned = await (isProven ? replanAfter : prove)(first, { planned, run, isAwaited }));
            },
      pageUrl: (slug) => planned.addresses.shown(slug),
      concurrency: CHANGES_AT_ONCE,
      newKey: () => randomUUID(),
      now: run.posts.clock.now,
      onOutcome(outcome) {
        outcomes.push(outcome);
        onOutcome?.(outcome, total);
      },
    });
    const unseen = await checkShown(outcomes, { ...waiting(run), api, planned });
    if (firstPage !== undefined) await proveLate(firstPage, { planned, run });
    if (unseen !== undefined) {
      const outcome: Outcome = { resource: "host", ...unseen, status: "skipped" };
      outcomes.push(outcome);
      onOutcome?.(outcome, total);
    }
    if (planned.desired.warnings.some(({ code }) => code === NOT_FOUND_UNUSED)) api.learn({ notFoundPage: "unused" });
    rememberService(store, { api, outcomes });
  } catch (error) {
    await store.close().catch(() => {});
    throw describeInterruption(error, { outcomes, total });
  }
  try {
    await store.close();
  } catch (error) {
    throw describeInterruption(error, { outcomes, total });
  }
  const urls = [...planned.desired.assets.keys()].flatMap((hash) => store.asset(hash)?.url ?? []);
  return { planned, outcomes, release, warnings: warnOfExpiry(urls, api) };
}

// The slugs of a preview have two hyphens in a row, which not every host keeps.
function areSlugsProven({ pages }: Known, { api }: Run): boolean {
  const isKnown = (api.capabilities.account ?? api.dialect.slugHyphens) !== undefined;
  return isKnown || [...pages.keys()].some((slug) => /--|__/.test(slug));
}

async function replanAfter(
  first: FirstPage,
  { planned, run }: { readonly planned: PlannedRun; readonly run: Run },
): Promise<PlannedRun> {
  return await planned.replan(knownAfter(first, planned, run.api), { dialect: run.api.dialect, tried: [] });
}

function rememberService(
  store: StateStore,
  { api, outcomes }: Pick<Run, "api"> & { readonly outcomes: readonly Outcome[] },
): void {
  const { dialect: learned, capabilities, concurrency } = api;
  if (Object.keys(learned).length > 0) store.rememberIds({ dialect: { ...store.ids.dialect, ...learned } });
  if (outcomes.filter(isSent).length > MANY) store.rememberIds({ concurrency });
  store.rememberIds({ routeSet: capabilities.account === undefined ? capabilities.routeSet : undefined });
}

/** A run that asks which release is live now, and lists anew. */
function withoutKnown(run: Run): Run {
  const { memory } = run;
  return { ...run, early: undefined, memory: { ...memory, state: { ...memory.state, release: undefined } } };
}

/**
 * Looks how the library serves the files of a release before readers see its pages, and plans again when browsers would
 * not load them; else gives `undefined`. What a release holds is checked by its hash, so its pages are kept as they are.
 */
async function proveFiles(
  addresses: Addresses,
  { planned, run, store }: { readonly planned: PlannedRun; readonly run: Run; readonly store: StateStore },
): Promise<PlannedRun | undefined> {
  const { api, request, target } = run;
  const files = await readFiles(addresses, {
    assets: planned.desired.assets,
    prepare: planned.prepare,
    reach: (address) => reachableFile(address, target),
    signal: request.signal,
  });
  const dialect = { ...api.dialect, html: "kept", ...files } as const;
  api.learn(dialect);
  store.rememberIds({ dialect });
  return files.unserved === undefined ? undefined : await planned.replan(planned.known, { dialect, tried: [] });
}

function isSent({ kind, status }: Outcome): boolean {
  return status === "done" && kind !== "keep";
}

interface ProveContext {
  readonly planned: PlannedRun;
  readonly run: Run;
  /** Whether an earlier page of the run was waited for, in vain. */
  readonly isAwaited?: boolean;
}

/** Looks at the first page of a host and plans the rest by what it showed. */
export async function prove(first: FirstPage, { planned, run, isAwaited = false }: ProveContext): Promise<PlannedRun> {
  const { api } = run;
  const { assets } = planned.desired;
  const needed = withNested(first.desired.assets, (hash) => assets.get(hash));
  const { dialect, tried } = await proveFirstPage(first, {
    ...proofContext(planned, run),
    assets: new Map([...assets].filter(([hash]) => needed.has(hash))),
    waits: isAwaited ? "nowhere" : planned.known.owner.isFirst ? "anywhere" : "known address",
  });
  api.learn(dialect);
  first.store.rememberIds({ dialect });
  return await planned.replan(knownAfter(first, planned, api), { dialect, tried });
}

function proofContext({ prepare }: PlannedRun, run: Run) {
  const { api, request, target } = run;
  const given = request.options.pagesUrl ?? target.pagesUrl;
  return { ...waiting(run), api, given, prepare, reach: (address: string) => reachableFile(address, target) };
}

function waiting({ posts, request: { signal, onStep } }: Run): Waiting {
  return { clock: posts.clock, signal, onStep };
}

/** Looks at the first page once more, where it was not shown while the others were still to be sent. */
async function proveLate(
  first: FirstPage,
  { planned, run }: { readonly planned: PlannedRun; readonly run: Run },
): Promise<void> {
  if (run.api.dialect.html !== undefined) return;
  const { dialect } = await proveFirstPage(first, {
    ...proofContext(planned, run),
    assets: new Map(),
    waits: "nowhere",
  });
  run.api.learn(dialect);
}

/** What is known of the service after the first page was sent. */
function knownAfter(
  { desired, record, addresses, store }: FirstPage,
  { known, desired: all }: PlannedRun,
  api: ImprintApi,
): Known {
  const assets = new Map(known.assets);
  const refusedFiles = { ...known.refusedFiles, ...store.refused };
  for (const hash of addresses.keys()) {
    const stored = store.asset(hash);
    if (stored !== undefined) assets.set(hash, stored);
  }
  const { siteId } = store.ids;
  const site = known.site ?? (siteId === undefined ? undefined : { id: siteId, ...all.site });
  if (record === undefined) return { ...known, site, assets, refusedFiles };
  const { slug, hash } = desired;
  const sent = store.page(slug)?.sent ?? "";
  // It was sent with the address of an image that turned out not to be shown.
  const addressesCurrent = !desired.assets.some((each) => isUnserved(all.assets.get(each), api.dialect));
  const page = { slug, origin: "ours", hash, edited: false, addressesCurrent, sent, record } as const;
  return { ...known, site, assets, refusedFiles, pages: new Map([...known.pages, [slug, page]]) };
}

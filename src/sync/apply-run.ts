import { randomUUID } from "node:crypto";
import type { ProbeResult } from "../posts/apply/repeated-posts.ts";
import { applyPlan, type FirstPage } from "./apply.ts";
import { applyBlogPosts } from "./apply/blog.ts";
import { acceptLimits, lockState } from "./lock.ts";
import { replan, type PlannedRun } from "./plan-run.ts";
import { describeInterruption } from "./report/words.ts";
import { findAcceptable } from "./report/report.ts";
import type { Run } from "./run.ts";
import { withNested } from "./desired.ts";
import type { Known } from "./known.ts";
import { reachableFile } from "./desired/page-addresses.ts";
import { proveFirstPage } from "./prove-first-page.ts";
import type { Outcome } from "../base/outcome.ts";

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
}

/**
 * Does what a plan says and writes down what it learns as it goes. What ends the run early is thrown with a sentence
 * about what was done until then.
 */
export async function applyRun(asked: PlannedRun, run: Run, request: ApplyRequest): Promise<AppliedRun> {
  const { files, name } = run.memory;
  const { preview } = run.request;
  const { slugs, postPages } = asked;
  if (preview === undefined) await files.writeLock({ ...(await files.readLock()), slugs, postPages });
  const { planned, outcomes } = await applyWithJournal(asked, run, request);
  const accepted = request.accept === true ? findAcceptable(outcomes) : undefined;
  if (preview === undefined) {
    const lock = lockState(await files.readLock(), name, files.readState());
    await files.writeLock(accepted === undefined ? lock : acceptLimits(lock, name, accepted));
  }
  return { planned, outcomes, accepted };
}

async function applyWithJournal(asked: PlannedRun, run: Run, { onOutcome, onProbed }: ApplyRequest) {
  const { api, memory, request, built, dialect } = run;
  const { files, state } = memory;
  const { project, known, prepare, changes } = asked;
  const total = changes.length;
  let planned = asked;
  const outcomes: Outcome[] = [];
  const isProven = dialect.html !== undefined || request.preview !== undefined || built === undefined;
  const store = files.openStore({ state, project, dialect: api.dialect });
  try {
    await applyPlan(asked.plan, {
      api,
      store,
      state,
      project,
      prepare,
      posts: { ...asked.posts, onProbed },
      applyPosts: applyBlogPosts,
      seen: known.seen,
      prove: isProven ? undefined : async (first) => (planned = await prove(first, { planned, run })),
      pageUrl: (slug) => planned.addresses.shown(slug),
      concurrency: CHANGES_AT_ONCE,
      newKey: () => randomUUID(),
      onOutcome(outcome) {
        outcomes.push(outcome);
        onOutcome?.(outcome, total);
      },
    });
    const learned = api.dialect;
    if (Object.keys(learned).length > 0) store.rememberIds({ dialect: { ...store.ids.dialect, ...learned } });
    if (outcomes.filter(isSent).length > MANY) store.rememberIds({ concurrency: api.concurrency });
  } catch (error) {
    await store.close().catch(() => {});
    throw describeInterruption(error, { outcomes, total });
  }
  try {
    await store.close();
  } catch (error) {
    throw describeInterruption(error, { outcomes, total });
  }
  return { planned, outcomes };
}

function isSent({ kind, status }: Outcome): boolean {
  return status === "done" && kind !== "keep";
}

/** Looks at the first page of a host and plans the rest by what it showed. */
export async function prove(
  first: FirstPage,
  { planned, run }: { readonly planned: PlannedRun; readonly run: Run },
): Promise<PlannedRun> {
  const { api, request, target } = run;
  const { assets } = planned.desired;
  const needed = withNested(first.desired.assets, (hash) => assets.get(hash));
  const { dialect, tried } = await proveFirstPage(first, {
    api,
    given: request.options.pagesUrl ?? target.pagesUrl,
    assets: new Map([...assets].filter(([hash]) => needed.has(hash))),
    prepare: planned.prepare,
    reach: (address) => reachableFile(address, target),
    signal: request.signal,
  });
  api.learn(dialect);
  first.store.rememberIds({ dialect });
  return await replan(knownAfter(first, planned), {
    ...run,
    dialect,
    tried,
    brokenImages: planned.brokenImages,
  });
}

/** What is known of the service after the first page was sent. */
function knownAfter({ desired, record, addresses, store }: FirstPage, { known, desired: all }: PlannedRun): Known {
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
  const page = { slug, origin: "ours", hash, edited: false, addressesCurrent: true, sent, record } as const;
  return { ...known, site, assets, refusedFiles, pages: new Map([...known.pages, [slug, page]]) };
}

import { randomUUID } from "node:crypto";
import { isWritten, writtenPages, type Outcome } from "../base/outcome.ts";
import type { Release } from "../client/records/release-records.ts";
import type { Probed } from "../posts/apply/probe-upsert.ts";
import type { SiteWarning } from "../site/model.ts";
import { applyPlan, type FirstPage } from "./apply.ts";
import { applyBlogPosts } from "./apply/blog.ts";
import { findLacks, isKeptExactly } from "./served-length.ts";
import { recordShown } from "./apply/confirm.ts";
import { learnChanges } from "./changed-pages.ts";
import { watchRecords } from "./counted-records.ts";
import { NOT_FOUND_UNUSED } from "./desired/extra-pages.ts";
import { warnOfExpiry } from "./file-addresses.ts";
import { checkShown, MOST_UNSHOWN } from "./check-shown.ts";
import { warnOfForms } from "./form-notice.ts";
import { acceptLimits, lockDialect, lockState, pagesStillLocked, type AfterRun, type Lock } from "./lock.ts";
import { PAGES_NOT_FOUND } from "./plan/site.ts";
import { planRun, type PlannedRun } from "./plan-run.ts";
import { probeFiles, probeLate, prove, replanAfter, waiting } from "./prove-host.ts";
import { findAcceptable } from "./report/report.ts";
import { describeInterruption } from "./report/words.ts";
import { learnRestored, type RestoredContext } from "./restored-parts.ts";
import type { Run } from "./run.ts";
import type { StateStore } from "./state-store.ts";
import { forgetUnstored, forgetVersion } from "./unstored.ts";
import { describeProject } from "./written-for.ts";

// The client limits concurrent requests; this only limits how many changes are prepared in memory.
const CHANGES_AT_ONCE = 128;

// A few requests don't show how many concurrent ones are too many.
const MANY = 100;

export interface ApplyRequest {
  /** Called after every change. */
  readonly onOutcome?: ((outcome: Outcome, total: number) => void) | undefined;
  /**
   * If set, sends one edited post again to find out whether the service updates it, and is called with the result;
   * `undefined` if there was no post to try it with.
   */
  readonly onProbed?: ((probed: Probed) => void) | undefined;
  /** Whether to record what the host can't do as accepted. */
  readonly accept?: boolean | undefined;
}

/** The result of applying a run. */
export interface AppliedRun {
  /** The final plan: the first page may have revealed more about the host. */
  readonly planned: PlannedRun;
  readonly outcomes: readonly Outcome[];
  /** What is recorded as accepted in the lock file after the run; `undefined` if unchanged. */
  readonly accepted: readonly string[] | undefined;
  /** The release that the pages were published with; `undefined` if there was none. */
  readonly release: Pick<Release, "id" | "parent"> | undefined;
  /** Expected sizes of library files in bytes, by address; only of files that no host converts. */
  readonly fileBytes: ReadonlyMap<string, number>;
  /** Findings of the run that aren't about a single change. */
  readonly warnings: readonly SiteWarning[];
}

/**
 * Applies a plan and records what it learns on the way. An error that ends the run early says what was done until
 * then.
 */
export async function applyRun(asked: PlannedRun, run: Run, request: ApplyRequest): Promise<AppliedRun> {
  const { files, name } = run.memory;
  const { preview } = run.request;
  const lock = await files.readLock();
  // Everything that is sent contains the project's ID. If the service may have this project under another ID, that is
  // determined first.
  const project = asked.known.owner.isUncertain ? lock.project : asked.project;
  if (preview === undefined) {
    const { slugs, postPages, redirects, desired } = asked;
    const writtenFor = describeProject(run.request, desired) ?? lock.writtenFor;
    await files.writeLock({ ...lock, project, writtenFor, slugs, postPages, redirects });
  } else if (lock.project === undefined) {
    await files.writeLock({ ...lock, project });
  }
  const applied = await applyWithJournal(asked, run, request).catch(async (error: unknown) => {
    // A later run without `.imprint/` then recognizes what was created as this project's. The error that ended the run
    // matters more to the user than a failure to record that.
    if (preview === undefined) {
      await files.writeLock(await lockRun(run, { known: undefined, outcomes: [] })).catch(() => undefined);
    }
    throw error;
  });
  const { planned, outcomes, release, fileBytes, warnings, areSeen } = applied;
  const before = run.memory.locked?.accepted;
  // Readers see the pages now, so a page that they don't see later isn't an accepted limitation.
  const isOver = areSeen && before?.includes(PAGES_NOT_FOUND) === true;
  const accepted =
    request.accept === true
      ? findAcceptable(outcomes)
      : isOver
        ? before.filter((limit) => limit !== PAGES_NOT_FOUND)
        : undefined;
  if (preview === undefined) {
    const isUnseen = planned.desired.only === "posts";
    const lock = await lockRun(run, { known: isUnseen ? undefined : planned.known.pages, outcomes });
    await files.writeLock(accepted === undefined ? lock : acceptLimits(lock, name, accepted));
  }
  return { planned, outcomes, accepted, release, fileBytes, warnings };
}

/** Remembers pages that readers weren't shown after a run, so that later runs check them until they are. */
export async function rememberUnshown(slugs: readonly string[], { api, memory, request }: Run): Promise<void> {
  const { files, name } = memory;
  const state = files.readState();
  if (slugs.length === 0 || state.project === undefined) return;
  api.learn({ unshown: [...new Set([...(api.dialect.unshown ?? []), ...slugs])].slice(0, MOST_UNSHOWN) });
  await files.openStore({ state, project: state.project, dialect: api.dialect }).close();
  if (request.preview !== undefined) return;
  await files.writeLock(lockDialect(await files.readLock(), name, { ...state.dialect, ...api.dialect }));
}

/** Opens what is remembered, with what planning found out about files of the library. */
function openStore({ project, known }: PlannedRun, { api, memory: { files, state } }: Run): StateStore {
  const store = files.openStore({ state, project, dialect: api.dialect });
  for (const [hash, lack] of findLacks(known.refusedFiles, state)) store.refuse(hash, lack, "record");
  return store;
}

async function applyWithJournal(asked: PlannedRun, run: Run, { onOutcome, onProbed }: ApplyRequest) {
  const { api, memory, request, built } = run;
  const { state } = memory;
  const { project, known, prepare, isSentAsIs, changes } = asked;
  const total = changes.length;
  let planned = asked;
  const outcomes: Outcome[] = [];
  let firstPage: FirstPage | undefined;
  let release: AppliedRun["release"];
  let areSeen = false;
  const note = (outcome: Outcome) => {
    noteOutcome(outcome, outcomes);
    onOutcome?.(outcome, total);
  };
  // Planning may have shown that the remembered state belongs to another account.
  const isProven = api.dialect.html !== undefined || request.preview !== undefined || built === undefined;
  const isSlugProven = request.preview === undefined || areSlugsProven(asked, run);
  const store = openStore(asked, run);
  const records = watchRecords(api);
  const isUnsure = known.mayHaveBlog && !known.owner.isUncertain && built !== undefined;
  const isRenamed = known.renamedBlog !== undefined && !known.owner.isFresh;
  // The next run would remember this project as one that never had a blog. While that is uncertain, nothing is sent.
  if ((isUnsure || isRenamed) && state.blogId === undefined) store.rememberIds({ blogId: null });
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
      adopts: request.options.adopt,
      seen: known.seen,
      records,
      parent: known.release,
      replan: async () => {
        planned = await planRun(withoutKnown(run));
        return { ...planned, parent: planned.known.release };
      },
      onReleased: ({ id, parent }) => (release = { id, parent }),
      onStep: request.onStep,
      probeFiles: isProven
        ? undefined
        : async (addresses) => {
            const proven = await probeFiles(addresses, { planned, run, store });
            if (proven !== undefined) planned = proven;
            return proven;
          },
      prove:
        isProven && isSlugProven
          ? undefined
          : async (first) => {
              // Waits only once for a page that isn't shown.
              const isAwaited = firstPage !== undefined && api.dialect.html === undefined;
              if (first.record !== undefined) firstPage ??= first;
              return (planned = await (isProven ? replanAfter : prove)(first, { planned, run, isAwaited }));
            },
      pageUrl: (slug) => planned.addresses.shown(slug),
      concurrency: CHANGES_AT_ONCE,
      newKey: () => randomUUID(),
      clock: run.posts.clock,
      onOutcome: note,
    });
    [areSeen] = await Promise.all([
      checkSent(outcomes, { planned, run, store, note, firstPage }),
      records.remember(store, { isWhole: asked.plan.site !== undefined }),
    ]);
    await forgetRestored(outcomes, { api, planned });
    rememberService(store, { api, outcomes, now: run.posts.clock.now() });
  } catch (error) {
    await store.close().catch(() => {});
    throw describeInterruption(error, { outcomes, total });
  }
  try {
    await store.close();
  } catch (error) {
    throw describeInterruption(error, { outcomes, total });
  }
  const warnings = await findWarnings(outcomes, { planned, api, store });
  return { planned, outcomes, release, areSeen, fileBytes: measureFiles(planned, store), warnings };
}

function measureFiles({ desired, isSentAsIs }: PlannedRun, store: StateStore): ReadonlyMap<string, number> {
  return new Map(
    [...desired.assets].flatMap(([hash, asset]) => {
      const { contentType, source } = asset;
      const address = store.asset(hash)?.url;
      if (address === undefined || !URL.canParse(address) || source.kind !== "file") return [];
      return isKeptExactly(contentType) && isSentAsIs(asset) ? [[new URL(address).href, source.bytes] as const] : [];
    }),
  );
}

function noteOutcome(outcome: Outcome, outcomes: Outcome[]): void {
  const { resource, kind, name } = outcome;
  // Files uploaded with the first page are inlined if readers don't get them.
  const isUpload = (each: Outcome) => each.resource === "asset" && each.kind === "create" && each.name === name;
  const place =
    resource === "asset" && kind === "inline"
      ? outcomes.findIndex((each) => isUpload(each) && each.status === "done")
      : -1;
  if (place >= 0) outcomes.splice(place, 1);
  outcomes.push(outcome);
}

async function findWarnings(
  outcomes: readonly Outcome[],
  { planned: { desired }, api, store }: Pick<SentContext, "planned" | "store"> & Pick<Run, "api">,
): Promise<readonly SiteWarning[]> {
  const urls = [...desired.assets.keys()].flatMap((hash) => store.asset(hash)?.url ?? []);
  return [...warnOfExpiry(urls, api), ...(await warnOfForms(outcomes, { api, desired }))];
}

/** Returns the lock with the state after a run, and with the pages that the run left as they were. */
async function lockRun({ memory: { files, locked, name } }: Run, after: AfterRun): Promise<Lock> {
  const state = files.readState();
  const pages = { ...pagesStillLocked(locked, after), ...state.pages };
  return lockState(await files.readLock(), name, { ...state, pages });
}

interface SentContext {
  readonly planned: PlannedRun;
  readonly run: Run;
  readonly store: StateStore;
  readonly note: (outcome: Outcome) => void;
  /** The page that proved what the host does. */
  readonly firstPage: FirstPage | undefined;
}

/** Checks what the host made of the pages that were sent. Returns whether readers see all that were checked. */
async function checkSent(
  outcomes: readonly Outcome[],
  { planned, run, store, note, firstPage }: SentContext,
): Promise<boolean> {
  const { api } = run;
  const { state } = run.memory;
  const { finding, unseen, replaced, areSeen } = await checkShown(outcomes, { ...waiting(run), api, planned, state });
  const { pages } = planned.desired;
  for (const page of pages.filter(({ slug }) => replaced.includes(slug))) forgetVersion(page, { store, state });
  const hidden = pages.filter(({ slug }) => unseen.includes(slug));
  const context = { ...waiting(run), api, project: planned.project, store, state, pausesMs: [] };
  const unstored = await forgetUnstored(hidden, context);
  for (const outcome of outcomes.filter((each) => each.resource === "page" && isWritten(each))) {
    const error = unstored.get(outcome.name);
    if (error !== undefined) note({ ...outcome, status: "failed", error });
  }
  if (firstPage !== undefined) await probeLate(firstPage, { planned, run });
  if (finding !== undefined) note({ resource: "host", ...finding, status: "skipped" });
  if (planned.desired.warnings.some(({ code }) => code === NOT_FOUND_UNUSED)) api.learn({ notFoundPage: "unused" });
  if (await learnChanges(outcomes, { api, planned })) {
    await recordShown(writtenPages(outcomes), { api, store, state, concurrency: CHANGES_AT_ONCE });
  }
  return areSeen;
}

// The slugs of a preview are long and have two hyphens in a row, which not every host preserves.
function areSlugsProven({ known, plan }: PlannedRun, { api }: Run): boolean {
  if (api.capabilities.account !== undefined) return true;
  const slugs = [...known.pages.keys()];
  const isHyphenKnown = api.dialect.slugHyphens !== undefined || slugs.some((slug) => /--|__/.test(slug));
  const longest = api.dialect.slugMaxLength ?? slugs.reduce((most, { length }) => Math.max(most, length), 0);
  return isHyphenKnown && plan.pages.every(({ kind, name }) => kind !== "create" || name.length <= longest);
}

/** Drops the plan's reports about parts that readers turned out to get again. */
async function forgetRestored(outcomes: Outcome[], context: RestoredContext): Promise<void> {
  const restored = new Set<string>(await learnRestored(context));
  const isOver = ({ resource, name }: Outcome) => resource === "host" && restored.has(name);
  outcomes.splice(0, outcomes.length, ...outcomes.filter((outcome) => !isOver(outcome)));
}

function rememberService(
  store: StateStore,
  { api, outcomes, now }: Pick<Run, "api"> & { readonly outcomes: readonly Outcome[]; readonly now: Date },
): void {
  const { dialect: learned, capabilities, concurrency } = api;
  if (Object.keys(learned).length > 0) store.rememberIds({ dialect: { ...store.ids.dialect, ...learned } });
  if (outcomes.filter(isSent).length > MANY) store.rememberIds({ concurrency });
  if (outcomes.some((outcome) => outcome.resource === "page" && isSent(outcome))) {
    store.rememberIds({ sentAt: now.toISOString() });
  }
  store.rememberIds({ routeSet: capabilities.routeSet });
}

/** Resets a run so that it reads the live release and the lists again. */
function withoutKnown(run: Run): Run {
  const { memory } = run;
  return { ...run, early: undefined, memory: { ...memory, state: { ...memory.state, release: undefined } } };
}

const isSent = ({ kind, status }: Outcome) => status === "done" && kind !== "keep";

import { ImprintError } from "../base/error.ts";
import type { ImprintApi } from "../client/api.ts";
import type { LibraryFindings } from "../client/library-findings.ts";
import type { BuiltSite, SiteAsset } from "../site/model.ts";
import type { PreparedAsset } from "../sync/apply.ts";
import { summarizePlan } from "../sync/changes.ts";
import type { ChangeSummary, Plan } from "../sync/changes.ts";
import { know } from "../sync/known.ts";
import type { Seen } from "../sync/known.ts";
import type { LockedTarget } from "../sync/lock.ts";
import { planChanges } from "../sync/plan.ts";
import type { PostsWork } from "../sync/posts/apply-blog.ts";
import type { PostsPort } from "../sync/posts/port.ts";
import type { SpareAssets } from "../sync/spare-assets.ts";
import type { State } from "../sync/state.ts";
import { desireSite } from "./desire.ts";
import type { DesireContext, DesiredRun } from "./desire.ts";
import { askLibrary, recallLibrary } from "./library.ts";
import { createPageAddresses } from "./page-addresses.ts";
import { isSamePlacement } from "./placement.ts";
import { prepareEach, throwFailures } from "./prepare.ts";
import type { Target } from "./target.ts";

export interface PlanContext extends Omit<DesireContext, "library" | "addresses"> {
  readonly api: ImprintApi;
  readonly target: Target;
  /** Name of the target that stays the same between runs. */
  readonly identity: string;
  readonly state: State;
  /** What the lock file says of the target; `undefined` for previews and for targets that it does not know. */
  readonly locked: LockedTarget | undefined;
  /** Id that the project takes when it has none. */
  readonly freshProject: string;
  readonly signal: AbortSignal | undefined;
  readonly posts: PostsPort;
}

/** What a run will do, and what it was decided from. */
export interface PlannedSite extends DesiredRun {
  readonly plan: Plan;
  readonly changes: readonly ChangeSummary[];
  readonly posts: PostsWork;
  readonly seen: Seen;
  /** Id of the project. */
  readonly project: string;
  readonly spareAssets: SpareAssets | undefined;
}

/** A plan that can be carried out. */
export interface PlannedRun extends PlannedSite {
  readonly prepare: (asset: SiteAsset) => Promise<PreparedAsset>;
}

/** Plans without sending anything: where the library was not asked yet, by what the route set promises. */
export async function planDryRun(built: BuiltSite, context: PlanContext): Promise<PlannedSite> {
  const library = await recallLibrary(context.api, context);
  if (library.at === undefined) {
    context.logger.info(
      "How the library serves scripts and fonts was not asked yet, since that takes an upload: the plan goes by what the route set promises. `imprint doctor` asks.",
    );
  }
  return planSite(built, { ...context, library: library.findings });
}

/**
 * Plans and makes every asset ready. The library is asked what it can do when nothing else stands in the way of a run
 * that sends something, since asking sends files too; an answer that differs from the promise changes every page.
 */
export async function planRun(built: BuiltSite, context: PlanContext): Promise<PlannedRun> {
  const library = await recallLibrary(context.api, context);
  const planned = await planReady(built, { ...context, library: library.findings });
  refuseCollisions(planned.plan);
  if (library.at !== undefined || !planned.changes.some(isSent)) return planned;
  const { findings } = await askLibrary(context.api, context);
  if (isSamePlacement(findings, library.findings)) return planned;
  return planReady(built, { ...context, library: findings });
}

const MOST_NAMED = 5;

// Half a site whose links lead to pages of another one helps nobody: nothing is sent.
function refuseCollisions({ pages }: Plan): void {
  const held = pages.filter((change) => change.kind === "blocked" && change.holder !== undefined);
  const [first] = held;
  if (first === undefined) return;
  const names = held.slice(0, MOST_NAMED).map(({ name }) => name);
  const more = held.length > names.length ? ` and ${held.length - names.length} more` : "";
  throw new ImprintError("SLUG_HELD", `${names.join(", ")}${more}: ${first.reason}. Nothing was sent.`);
}

function isSent({ kind }: ChangeSummary): boolean {
  return kind === "create" || kind === "update" || kind === "delete";
}

type LibraryContext = PlanContext & { readonly library: LibraryFindings };

async function planReady(built: BuiltSite, context: LibraryContext): Promise<PlannedRun> {
  const planned = await planSite(built, context);
  const { prepare, failures } = await prepareEach(planned.plan.assets, context);
  throwFailures(failures.filter(({ asset }) => !planned.postImages.has(asset.hash)));
  if (failures.length === 0) return { ...planned, prepare };
  // A post can't be mended once it is sent: those with a broken image wait, and everything else goes on.
  const brokenImages = new Map(failures.map(({ asset, error }) => [asset.hash, error.message]));
  return { ...(await planSite(built, { ...context, brokenImages })), prepare };
}

async function planSite(built: BuiltSite, context: LibraryContext): Promise<PlannedSite> {
  const { api, state, locked, lock, freshProject, capabilities, options } = context;
  const { pagesAt } = api.capabilities;
  const addresses = createPageAddresses({ options, target: context.target, capabilities: { pagesAt } });
  const run = await desireSite(built, { ...context, addresses });
  const { desired } = run;
  context.onStep({ kind: "service" });
  const ownSlugs = new Set(Object.values(lock.slugs));
  const known = await know(desired, { api, state, posts: context.posts, locked, ownSlugs, freshProject });
  const { project } = known.owner;
  const input = { desired, known, state, capabilities, rules: options };
  const plan = planChanges(input);
  return {
    ...run,
    plan,
    seen: known.seen,
    project,
    changes: summarizePlan(plan),
    spareAssets: known.spareAssets,
    posts: {
      ...context.posts,
      desired,
      known: known.posts,
      project,
      rules: { capabilities, prune: options.prune === true },
    },
  };
}

import { ImprintError } from "../base/error.ts";
import type { ImprintApi, Page } from "../client/api.ts";
import { foldRoute, hashedSlug, HOME_SLUG } from "../contract/route-slug.ts";
import type { Dialect } from "../contract/dialect.ts";
import type { BuiltSite, SiteAsset } from "../site/model.ts";
import type { PreparedAsset } from "./apply.ts";
import { summarizePlan, type ChangeSummary, type Plan } from "./changes.ts";
import { areEditsUnseen } from "./known-pages.ts";
import { know, type Known } from "./known.ts";
import { planLimits } from "./plan/limits.ts";
import type { LockedTarget } from "./lock.ts";
import { planChanges } from "./plan.ts";
import type { PostsWork } from "./apply/blog.ts";
import type { PostsPort } from "../posts/apply/port.ts";
import type { SpareAssets } from "./spare-assets.ts";
import type { State } from "./state.ts";
import { desireSite, type DesireContext, type DesiredRun } from "./desired/build-desired.ts";
import { libraryFindings } from "./desired/library.ts";
import { createPageAddresses, type PublishedAt } from "./desired/page-addresses.ts";
import { guessPagesAt } from "./prove-first-page.ts";
import { prepareEach, throwFailures } from "./prepare.ts";

export interface PlanContext extends Omit<DesireContext, "library" | "addresses" | "maxSlugLength" | "slugSeparator"> {
  readonly api: ImprintApi;
  /** What was learned of the host, by the client and by looking at its first page. */
  readonly dialect: Dialect;
  /** The pages that the service lists, where nothing is remembered of it. */
  readonly listedPages?: readonly Page[];
  /** Addresses at which the first page was looked for, and was not shown. */
  readonly tried?: readonly string[];
  readonly target: PublishedAt;
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
  readonly known: Known;
  /** Id of the project. */
  readonly project: string;
  readonly spareAssets: SpareAssets | undefined;
}

/** A plan that can be carried out. */
export interface PlannedRun extends PlannedSite {
  readonly prepare: (asset: SiteAsset) => Promise<PreparedAsset>;
  /** Why images of posts can't be sent, by hash. */
  readonly brokenImages?: ReadonlyMap<string, string> | undefined;
}

/** Plans without sending anything. */
export async function planDryRun(built: BuiltSite, context: PlanContext): Promise<PlannedSite> {
  if (context.dialect.html === undefined) {
    context.logger.info(
      "How the library serves scripts and fonts is found out with the first page that is published. Until then the plan goes by what the route set promises; `imprint doctor` asks.",
    );
  }
  return planSite(built, context);
}

/** Plans and makes every asset ready. Throws `SLUG_HELD` when pages of another project stand at the site's slugs. */
export async function planRun(built: BuiltSite, context: PlanContext): Promise<PlannedRun> {
  const planned = await planReady(built, context);
  refuseCollisions(planned.plan);
  return planned;
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

async function planReady(built: BuiltSite, context: PlanContext): Promise<PlannedRun> {
  const planned = await planSite(built, context);
  const { prepare, failures } = await prepareEach(planned.plan.assets, context);
  throwFailures(failures.filter(({ asset }) => !planned.postImages.has(asset.hash)));
  if (failures.length === 0) return { ...planned, prepare };
  // A post can't be mended once it is sent: those with a broken image wait, and everything else goes on.
  const brokenImages = new Map(failures.map(({ asset, error }) => [asset.hash, error.message]));
  return { ...(await planSite(built, { ...context, brokenImages })), prepare, brokenImages };
}

async function planSite(built: BuiltSite, asked: PlanContext): Promise<PlannedSite> {
  const context = await withLearnedAddresses(built, asked);
  const { api, state, locked, lock, freshProject } = context;
  const run = await desire(built, context);
  context.onStep({ kind: "service" });
  const ownSlugs = new Set(Object.values(lock.slugs));
  const shorter = isForgotten(context)
    ? findMaxLength(run, new Set(context.listedPages?.map(({ slug }) => slug)))
    : undefined;
  if (shorter !== undefined && api.dialect.slugMaxLength === undefined) {
    api.learn({ slugMaxLength: shorter });
    return await planSite(built, asked);
  }
  const known = await know(run.desired, {
    api,
    state,
    posts: context.posts,
    locked,
    ownSlugs,
    freshProject,
    adopts: context.options.adopt,
    listedPages: context.listedPages,
  });
  return noteUnseenEdits(planKnown(run, known, context), context);
}

// Said once: what nobody can see in a list is seen only when the page itself is read, before it is overwritten.
function noteUnseenEdits(planned: PlannedSite, { api, dialect }: PlanContext): PlannedSite {
  if (dialect.edits !== undefined || !areEditsUnseen(planned.known.pages.values())) return planned;
  api.learn({ edits: "unseen" });
  const message =
    "This service does not show when a page was last changed. Edits made there can't be seen until imprint has to publish the page again: it then reads the page first, and keeps an edit.";
  const warnings = [...planned.desired.warnings, { code: "edits-unseen", file: "service", message }];
  return { ...planned, desired: { ...planned.desired, warnings } };
}

// Links are part of what a page is recognized by. Where nothing is remembered of a host that has pages already, they
// tell where it shows them.
async function withLearnedAddresses({ pages }: BuiltSite, context: PlanContext): Promise<PlanContext> {
  const { api, options, target, dialect } = context;
  const isTold = (options.pagesUrl ?? target.pagesUrl ?? dialect.pagesAt ?? api.capabilities.pagesAt) !== undefined;
  if (!isForgotten(context) || api.capabilities.account !== undefined) return context;
  const { items } = await api.pages.list();
  learnSlugs(items, context);
  const listed = { ...context, listedPages: items };
  if (isTold || api.capabilities.pagesAt !== undefined || items.length === 0) return listed;
  const likely = new Set([HOME_SLUG, ...pages.map(({ route }) => foldRoute(route).slug)]);
  const pagesAt = await guessPagesAt(
    items.filter(({ slug }) => likely.has(slug)),
    api,
  );
  if (pagesAt === undefined) return listed;
  api.learn({ pagesAt });
  return { ...listed, dialect: { ...dialect, pagesAt } };
}

function isForgotten({ state, locked }: PlanContext): boolean {
  return locked === undefined && Object.keys(state.pages).length === 0;
}

// What the host took for slugs shows in those that it has.
function learnSlugs(pages: readonly Page[], { api, dialect }: PlanContext): void {
  const slugs = pages.map(({ slug }) => slug);
  const isUnderscored = slugs.some((slug) => slug.includes("_")) && !slugs.some((slug) => slug.includes("-"));
  if (dialect.slugSeparator === undefined && isUnderscored) api.learn({ slugSeparator: "_" });
}

/** A shorter form of a slug that stands in the list shows how long slugs may be there. */
function findMaxLength({ slugs }: DesiredRun, listed: ReadonlySet<string>): number | undefined {
  for (const [route, slug] of Object.entries(slugs)) {
    if (listed.has(slug)) continue;
    for (const other of listed) {
      const isCut = other.length < slug.length && hashedSlug(slug.replaceAll("_", "-"), route, other.length) === other;
      if (isCut) return other.length;
    }
  }
  return undefined;
}

/** Plans again after the host's dialect was found out, without asking for what is known. */
export async function replan(built: BuiltSite, known: Known, context: PlanContext): Promise<PlannedRun> {
  const planned = planKnown(await desire(built, context), known, context);
  return { ...planned, ...(await prepareEach(planned.plan.assets, context)) };
}

function desire(built: BuiltSite, context: PlanContext): Promise<DesiredRun> {
  const { api, options, target, dialect } = context;
  const pagesAt = api.capabilities.pagesAt ?? dialect.pagesAt;
  const addresses = createPageAddresses({ options, target, capabilities: { pagesAt } });
  const library = libraryFindings(api.capabilities, dialect);
  return desireSite(built, {
    ...context,
    addresses,
    library,
    maxSlugLength: api.dialect.slugMaxLength,
    slugSeparator: dialect.slugSeparator ?? api.dialect.slugSeparator,
  });
}

function planKnown(run: DesiredRun, known: Known, context: PlanContext): PlannedSite {
  const { capabilities, options, dialect } = context;
  const state = { ...context.state, dialect, refused: { ...known.refusedFiles } };
  const { desired, addresses } = run;
  const { project } = known.owner;
  const input = { desired, known, state, capabilities, rules: options };
  const isPublished = [...known.pages.values()].some(({ origin }) => origin === "ours");
  const limits = planLimits({ desired, dialect, isPublished, pageUrl: addresses.shown, tried: context.tried });
  const plan = { ...planChanges(input), limits };
  const rules = { capabilities, prune: options.prune === true };
  return {
    ...run,
    plan,
    known,
    project,
    changes: summarizePlan(plan),
    spareAssets: known.spareAssets,
    posts: { ...context.posts, desired, known: known.posts, owner: known.owner, rules },
  };
}

import { ImprintError } from "../base/error.ts";
import { mapPool } from "../base/pool.ts";
import { listFirstNames } from "../base/list-names.ts";
import type { Page } from "../client/api.ts";
import { findPagesAt, publishedAddress } from "../client/published-address.ts";
import { isSamePlace } from "../client/read-visit.ts";
import { isHiddenStatus } from "../contract/dialect.ts";
import { hashedSlug } from "../contract/slug.ts";
import type { BuiltSite } from "../site/model.ts";
import { namingOf, planSpareSlugs } from "../site/slugs.ts";
import type { ApplyContext } from "./apply.ts";
import { summarizePlan, type ChangeSummary, type Plan } from "./changes.ts";
import { readRemote, type Known } from "./known.ts";
import { findLockedTarget, isSameRecord } from "./lock.ts";
import { isDeadAddress, planLimits } from "./plan/site.ts";
import { planChanges } from "./plan.ts";
import { areEditsUnseen, describeElsewhere } from "./other-checkouts.ts";
import { learnSlugs } from "./learn-slugs.ts";
import { isMarkedPage } from "../html/marker.ts";
import { planOnePage } from "./plan/one-page.ts";
import type { PostsWork } from "./apply/blog.ts";
import type { SpareAssets } from "./known-assets.ts";
import { buildDesired, type DesiredRun } from "./desired/build-desired.ts";
import { libraryFindings } from "./desired/placement.ts";
import { createPageAddresses } from "./desired/page-addresses.ts";
import { classifyAgain } from "./folded-slugs.ts";
import { rememberedPages } from "./list-pages.ts";
import { ifAnswered, readHtml } from "./seen.ts";
import { guessPagesAt } from "./probe-first-page.ts";
import { measureRefused, prepareEach, throwFailures } from "./prepare.ts";
import { findFormerPosts, planFormerPosts } from "./former-blogs.ts";
import { describeEditedPosts, describeRefusedLibrary, withWarnings } from "./plan-warnings.ts";
import { isPreviewOf, livePage } from "./preview-name.ts";
import type { Owner } from "./project.ts";
import type { Run } from "./run.ts";
import type { State } from "./state.ts";
import { describeProject, refuseCopiedLock } from "./written-for.ts";

/** The context of planning a run, with what is known about the host. */
export interface PlanContext extends Run {
  /** Where the first page was not found, for the report. */
  readonly tried?: string | undefined;
  /** Why images of posts can't be sent, by hash. */
  readonly brokenImages?: ReadonlyMap<string, string> | undefined;
  /** Sizes of large images that the library doesn't accept, as they would be sent, by hash. */
  readonly sentBytes?: ReadonlyMap<string, number> | undefined;
}

/** Slugs of pages, and IDs of other records. */
export interface RememberedRecords {
  readonly pages: readonly string[];
  /** Pages that the project deleted, the latest last. */
  readonly deletedPages: readonly string[];
  readonly siteId: string | undefined;
  readonly brandKitId: string | undefined;
  readonly blogId: string | undefined;
  /** IDs of other people's files that the library returned instead of storing the project's. */
  readonly otherFiles: readonly string[];
}

/** What a run will do, and what that is based on. */
export interface PlannedSite extends DesiredRun {
  readonly plan: Plan;
  readonly changes: readonly ChangeSummary[];
  readonly posts: PostsWork;
  readonly known: Known;
  /** ID of the project. */
  readonly project: string;
  readonly spareAssets: SpareAssets | undefined;
  /** Files in the library that this machine remembers, by hash. */
  readonly rememberedAssets: State["assets"];
  /** What this project has on the service, as far as it is remembered. */
  readonly remembered: RememberedRecords;
  /** Plans again with what the first page revealed about the host, without reading the service again. */
  readonly replan: (known: Known, found: Pick<PlanContext, "dialect" | "tried">) => Promise<PlannedRun>;
}

/** A plan that can be applied. */
export interface PlannedRun extends PlannedSite, Pick<ApplyContext, "prepare" | "isSentAsIs"> {}

/** Plans and prepares every asset. Throws `SLUG_HELD` if pages of another project have the site's slugs. */
export async function planRun(run: Run): Promise<PlannedRun> {
  const planned = await planReady(run);
  if (run.built !== undefined) refuseCollisions(planned.plan);
  return planned;
}

// Sends nothing, because a partial site whose links lead to another project's pages is useless.
function refuseCollisions({ pages }: Plan): void {
  const held = pages.filter((change) => change.kind === "blocked" && change.holder !== undefined);
  const [first] = held;
  if (first === undefined) return;
  const names = listFirstNames(held.map(({ name }) => name));
  throw new ImprintError("SLUG_HELD", `${names}: ${first.reason}. Nothing was sent.`);
}

async function planReady(run: Run): Promise<PlannedRun> {
  const planned = await planSite(run);
  // In a run without the site, a broken image only blocks the posts that use it, when it is sent.
  const assets = run.built === undefined ? [] : planned.plan.assets;
  const { failures, ...ready } = await prepareEach(assets, run.request);
  throwFailures(failures.filter(({ asset }) => !planned.postImages.has(asset.hash)));
  if (failures.length === 0) return { ...planned, ...ready };
  // A post may not be fixable once it is sent, so those with a broken image wait, and everything else is published.
  const brokenImages = new Map(failures.map(({ asset, error }) => [asset.hash, error.message]));
  return { ...(await planSite({ ...run, brokenImages })), ...ready };
}

/** Plans without sending anything. */
export async function planSite(asked: PlanContext): Promise<PlannedSite> {
  if (asked.built === undefined) await checkMove(asked);
  const context = asked.built === undefined ? asked : await withLearnedAddresses(asked.built, asked);
  const { api, request } = context;
  const run = await desire(context);
  refuseCopiedLock(context.memory.lock, describeProject(request, run.desired));
  request.onStep({ kind: "service" });
  // The live site's lock file doesn't record what its previews revealed.
  const isPreview = request.preview !== undefined && Object.keys(context.memory.state.pages).length === 0;
  const isMaxUnknown = (isForgotten(context) || isPreview) && api.dialect.slugMaxLength === undefined;
  const shorter = isMaxUnknown ? await findMaxLength(run, context) : undefined;
  if (shorter !== undefined) {
    api.learn({ slugMaxLength: shorter });
    return await planSite(asked);
  }
  return await planDesired(run, context);
}

/** Reads what the service has, and plans the changes to what is desired. */
export async function planDesired(desired: DesiredRun, context: PlanContext): Promise<PlannedSite> {
  const known = await readRemote(desired.desired, context);
  const isUnknown = desired.desired.blog !== undefined && known.blog === undefined;
  const formerPosts = isUnknown ? [] : await findFormerPosts(context, known);
  const isLocked = findLockedTarget(context.memory.lock, context.memory.name) !== undefined;
  // A preview is recognized by its pages' markers although the lock file has the project, so that isn't reported.
  if (known.owner.isRecovered && !isLocked) context.request.logger.info(describeRecovery(known.owner, desired.desired));
  const planned = await planMeasured(desired, { ...known, formerPosts }, context);
  return await recordElsewhere(recordUnseenEdits(planned, context), context);
}

// Two projects with the same content look like one that lost its memory.
function describeRecovery({ project }: Owner, { only }: DesiredRun["desired"]): string {
  const [what, option] = only === "posts" ? ["posts", "`posts.blog.slug`"] : ["pages", "`slugs.prefix`"];
  return `imprint.lock.json doesn't list what this project has published here. The ${what} on the service look like its own, as project ${project}. If another project published them, set ${option}, delete imprint.lock.json and the folder .imprint, and publish again.`;
}

const READ_FIRST =
  "imprint notices an edit only when it has to publish the page again. It then reads the page first, and keeps the edit.";

const UNSEEN_EDITS = {
  kept: READ_FIRST,
  changed: READ_FIRST,
  hidden: "It doesn't show the HTML of pages either, so the next change to a page overwrites edits made there.",
  unknown:
    "So far, it hasn't shown the HTML of a page. Until it does, the next change to a page overwrites edits made there. After that, imprint reads the page first, and keeps edits.",
} as const;

// The last publish wins, and reports what it replaces.
async function recordElsewhere(planned: PlannedSite, { api }: PlanContext): Promise<PlannedSite> {
  const { pages, posts } = planned.plan;
  const warnings = [
    ...planned.desired.warnings,
    ...(await describeElsewhere(pages, { api, siteId: planned.known.site?.id })),
    ...describeEditedPosts(posts),
    ...describeRefusedLibrary(planned),
  ];
  return { ...planned, desired: { ...planned.desired, warnings } };
}

// Reported once: edits that lists don't reveal are only detected when the page itself is read, before it is
// overwritten.
function recordUnseenEdits(planned: PlannedSite, { api, dialect }: PlanContext): PlannedSite {
  const isSite = planned.desired.only === undefined;
  if (!isSite || dialect.edits !== undefined || !areEditsUnseen(planned.known.pages.values())) return planned;
  api.learn({ edits: "unseen" });
  const unseen = "This service does not show when a page was last changed.";
  const { owner, pages } = planned.known;
  // Without memory, only their HTML shows that pages are ours.
  const isShown = owner.isRecovered && [...pages.values()].some(({ origin }) => origin === "ours");
  const html = api.dialect.html ?? (isShown ? "kept" : "unknown");
  const message = `${unseen} ${UNSEEN_EDITS[html]}`;
  const warnings = [
    ...planned.desired.warnings,
    { code: "edits-unseen", file: "service", message, isNotice: true as const },
  ];
  return { ...planned, desired: { ...planned.desired, warnings } };
}

// Pages are recognized by their links, among other things. If nothing is remembered about a host that already has
// pages, they reveal where it serves them.
async function withLearnedAddresses({ pages }: BuiltSite, context: PlanContext): Promise<PlanContext> {
  const { memory, listedPages, request } = context;
  if (listedPages === undefined) return context;
  if (!isForgotten(context)) {
    await learnMove(listedPages, context);
    // What prevented the first check may be resolved, also after it was accepted: a site that opens later.
    const remembered = [memory.state.pages, rememberedPages(memory)].flatMap((known) => Object.keys(known));
    return await withGuessedAddresses(remembered.slice(0, 1), context);
  }
  const routes = pages.map(({ route }) => route);
  const likely = new Set(planSpareSlugs(routes, { ...namingOf(request.options), taken: [] }).values());
  await learnSlugs(listedPages, { api: context.api, dialect: context.dialect, likely, preview: request.preview });
  const slugs = listedPages.map(({ slug }) => slug).filter((slug) => likely.has(slug));
  return await withGuessedAddresses(slugs, context);
}

async function withGuessedAddresses(slugs: readonly string[], context: PlanContext): Promise<PlanContext> {
  const { api, request, target, dialect } = context;
  const known = request.options.pagesUrl ?? target.pagesUrl ?? dialect.pagesAt ?? api.capabilities.pagesAt;
  const pagesAt = known === undefined ? await guessPagesAt(slugs, api) : undefined;
  if (pagesAt === undefined) return context;
  api.learn({ pagesAt });
  return { ...context, dialect: { ...dialect, pagesAt } };
}

// A sent post can't be recalled, so its links must not lead to former addresses of pages.
async function checkMove(context: PlanContext): Promise<void> {
  const { api, memory } = context;
  const { pagesAt, account } = api.capabilities;
  const [slug] = Object.keys(rememberedPages(memory));
  if (slug === undefined || pagesAt === undefined || account !== undefined) return;
  const address = publishedAddress(pagesAt, slug);
  const visit = await api.visit(address);
  const isThere = visit?.status === 200 && isSamePlace(visit.url, address);
  const isOthers = api.dialect.html === "kept" && visit !== undefined && !isMarkedPage(visit);
  if (isThere && !isOthers) return;
  const list = await ifAnswered(api.pages.list());
  if (list !== undefined) await learnMove(list.items, context);
}

// A list may show different addresses than the pages themselves; what readers get decides. A former address may lead
// to the present one, where relative links to former addresses may be dead.
async function learnMove(listed: readonly Page[], { api, memory, request, target }: PlanContext): Promise<void> {
  const { pagesAt } = api.capabilities;
  if (pagesAt === undefined || (request.options.pagesUrl ?? target.pagesUrl) !== undefined) return;
  const remembered = rememberedPages(memory);
  const own = listed.find((page) => {
    const known = remembered[page.slug];
    return known !== undefined && isSameRecord(known, page) && !isHiddenStatus(page.status);
  });
  const named = own && findPagesAt(own, api);
  if (own === undefined || named === undefined || named === pagesAt) return;
  const [former, present] = [publishedAddress(pagesAt, own.slug), publishedAddress(named, own.slug)];
  const [before, now] = await Promise.all([api.visit(former), api.visit(present)]);
  if (now?.status !== 200) return;
  const isLeft =
    before?.status !== 200 || isSamePlace(before.url, present) || (!isMarkedPage(before) && isMarkedPage(now));
  if (isLeft) api.learn({ pagesAt: named });
}

function isForgotten({ memory: { state, locked } }: PlanContext): boolean {
  return locked === undefined && Object.keys(state.pages).length === 0;
}

const MOST_READ = 20;

/** Finds a host's maximum slug length from a shortened slug in its list, or in links of the site's pages there. */
async function findMaxLength({ slugs }: DesiredRun, context: PlanContext): Promise<number | undefined> {
  const { api, listedPages, request } = context;
  const listed = new Set(listedPages?.map(({ slug }) => slug));
  const missing = Object.entries(slugs).filter(([, slug]) => !listed.has(slug));
  const lengthIn = (shortened: Iterable<string>) =>
    [...shortened].find((other) => missing.some((page) => isShorterSlug(other, page, request)))?.length;
  const isOurs = api.capabilities.account !== undefined;
  if (missing.length === 0 || isOurs) return undefined;
  const found = lengthIn(listed);
  if (found !== undefined) return found;
  // Somebody may have deleted the page with the shortened slug.
  const present = Object.values(slugs).filter((slug) => listed.has(slug));
  const read = await mapPool(present.slice(0, MOST_READ), MOST_READ, (slug) => readHtml(slug, api));
  return lengthIn(read.flatMap((html = "") => html.match(HASHED_LINK) ?? []));
}

const HASHED_LINK = /[\w-]+-[0-9a-f]{8}(?=["#?/])/g;

type Named = readonly [route: string, slug: string];

function isShorterSlug(other: string, [route, slug]: Named, { preview }: Run["request"]): boolean {
  if (other.length >= slug.length) return false;
  const plain = slug.replaceAll("_", "-");
  if (preview === undefined) return hashedSlug(plain, route, other.length) === other;
  return isPreviewOf(other, { name: preview, page: livePage(plain, preview) });
}

/** @param before slugs that the site had in the plan before */
async function replan(known: Known, context: PlanContext, before: ReadonlySet<string>): Promise<PlannedRun> {
  const run = await desire(context);
  const added = run.desired.pages.map(({ slug }) => slug).filter((slug) => !before.has(slug));
  const { otherPages } = known.seen;
  const pages = await classifyAgain(known.pages, { api: context.api, added, otherPages });
  const planned = await planMeasured(run, { ...known, pages }, context);
  return { ...planned, ...(await prepareEach(planned.plan.assets, context.request)) };
}

function desire(context: PlanContext): Promise<DesiredRun> {
  const { api, request, target, dialect, capabilities } = context;
  const pagesAt = api.capabilities.pagesAt ?? dialect.pagesAt;
  return buildDesired(context, {
    addresses: createPageAddresses({ options: request.options, target, capabilities: { pagesAt } }),
    library: libraryFindings(capabilities, dialect),
    brokenImages: context.brokenImages,
  });
}

// Whether a refused image is inlined depends on its size as it would be sent.
async function planMeasured(run: DesiredRun, known: Known, context: PlanContext): Promise<PlannedSite> {
  const planned = planKnown(run, known, context);
  const sentBytes = await measureRefused(planned.plan.assets, context.request);
  return sentBytes.size === 0 ? planned : planKnown(run, known, { ...context, sentBytes });
}

function planKnown(run: DesiredRun, known: Known, context: PlanContext): PlannedSite {
  const { api, capabilities, memory, tried, sentBytes } = context;
  const { options } = context.request;
  // Reading the service may have revealed more about it.
  const dialect = { ...context.dialect, ...api.dialect };
  const state = { ...memory.state, dialect, refused: { ...known.refusedFiles } };
  const { desired, addresses } = run;
  const withoutFiles = libraryFindings(capabilities, dialect).files.why;
  const isPublished = [...known.pages.values()].some(({ origin }) => origin === "ours");
  const changes = planChanges({ desired, known, state, capabilities, rules: options, sentBytes });
  const limits =
    desired.only === undefined
      ? planLimits({ desired, withoutFiles, home: run.home, dialect, isPublished, pageUrl: addresses.shown, tried })
      : [];
  const former = planFormerPosts(known.formerPosts ?? [], run.local.held);
  const whole = { ...changes, limits: [...limits, ...former.limits] };
  const { page } = context.request;
  const plan = page === undefined ? whole : planOnePage(whole, { page, desired, slugs: run.slugs });
  const rules = { capabilities, prune: options.prune === true };
  return {
    ...run,
    local: withWarnings(withoutProblemsOf(changes.posts, run.local), former.warnings),
    desired: withWarnings(
      { ...desired, warnings: desired.warnings.filter((warning) => !isDeadAddress(warning)) },
      former.warnings,
    ),
    plan,
    // A release is a whole site, so a single page is published without one.
    known: page === undefined ? known : { ...known, release: undefined },
    project: known.owner.project,
    changes: summarizePlan(plan),
    spareAssets: known.spareAssets,
    rememberedAssets: state.assets,
    remembered: {
      pages: Object.keys(rememberedPages(memory)),
      deletedPages: state.deleted ?? [],
      siteId: state.siteId,
      brandKitId: state.brandKit?.id,
      blogId: state.blogId ?? undefined,
      otherFiles: state.otherFiles ?? [],
    },
    replan: (after, found) => replan(after, { ...context, ...found }, new Set(desired.pages.map(({ slug }) => slug))),
    posts: { ...context.posts, desired, known: known.posts, owner: known.owner, rules },
  };
}

// A published post is complete as long as its source is the same, whatever can be extracted from this build.
function withoutProblemsOf(changes: Plan["posts"], local: DesiredRun["local"]): DesiredRun["local"] {
  const kept = new Set(changes.filter(({ kind }) => kind === "keep").map(({ file }) => file));
  const unextracted = local.held.filter(({ isUnextracted }) => isUnextracted === true).map(({ file }) => file);
  const fine = new Set(unextracted.filter((file) => kept.has(file)));
  const isWrong = ({ file }: { readonly file: string }) => !fine.has(file);
  return { ...local, problems: local.problems.filter(isWrong), invalid: local.invalid.filter(isWrong) };
}

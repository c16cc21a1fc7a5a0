import type { Bytes } from "../base/bytes.ts";
import { ImprintError } from "../base/error.ts";
import type { ImprintApi, Page } from "../client/api.ts";
import { isSlugRefusal } from "../client/learner.ts";
import type { Dialect } from "../contract/dialect.ts";
import type { Release } from "../client/records/release-records.ts";
import { TRIED_PARTS } from "../html/page-parts.ts";
import type { PostsPort } from "../posts/apply/port.ts";
import type { SiteAsset } from "../site/model.ts";
import { applyAssets, type Addresses } from "./apply/assets.ts";
import { applyBrandKit, applySite } from "./apply/site.ts";
import { confirmPages, type WrittenPages } from "./apply/confirm.ts";
import { hasUnpublished, holdRenamed, MAY_BE_REPLACED } from "./apply/on-hold.ts";
import { AFTER_FAILURE, applyDeletes } from "./apply/deletes.ts";
import { isKeptElsewhere } from "./apply/kept-elsewhere.ts";
import { applyPages, sendPage } from "./apply/pages.ts";
import type { Seen } from "./known.ts";
import type { PageChange, Plan } from "./changes.ts";
import { withNested, type DesiredPage } from "./desired.ts";
import { createRoom, type Room } from "./apply/room.ts";
import type { BlogContext, PostsPlan, PostsWork } from "./apply/blog.ts";
import { applyRelease, needsRelease, type Released } from "./release/apply-release.ts";
import type { OnStep } from "./run.ts";
import type { RecordWatch } from "./counted-records.ts";
import type { State } from "./state.ts";
import type { StateStore } from "./state-store.ts";
import { isAreaRefusal, isWritten, type Outcome } from "../base/outcome.ts";

/** The content to upload for an asset. */
export interface PreparedAsset {
  readonly name: string;
  readonly contentType: string;
  readonly bytes: Bytes;
  /** Size before optimizing. */
  readonly bytesBefore: number;
}

/** What remains to be done after the first page. */
export interface Proven {
  readonly plan: Plan;
  readonly posts: PostsWork | undefined;
}

/** A page that was sent first, by itself. */
export interface FirstPage {
  readonly desired: DesiredPage;
  /** The service's response; `undefined` if it didn't accept the page. */
  readonly record: Page | undefined;
  /** The HTML as sent. */
  readonly html: string;
  readonly addresses: Addresses;
  readonly store: StateStore;
}

export interface ApplyContext {
  readonly api: ImprintApi;
  readonly store: StateStore;
  /** The state at the start of the run. */
  readonly state: State;
  /** ID of the project, which is part of everything that is sent. */
  readonly project: string;
  /** Creates the idempotency key for one attempt at one change. */
  readonly newKey: () => string;
  readonly clock: PostsPort["clock"];
  /** Whether to overwrite edits, including those that only a rejected request reveals. */
  readonly adopts: boolean;
  /** What was seen on the service when the plan was made. */
  readonly seen: Seen;
  /**
   * Checks the first page on an unknown host as its readers see it, before the rest is sent, and returns the plan for
   * the rest. Absent if the host is known.
   */
  readonly prove?: ((first: FirstPage) => Promise<Proven>) | undefined;
  /** Whether the images to upload are read with the first page. Default: false. */
  readonly readsImages?: boolean;
  /**
   * The release that was live before the service was read; `null` for none. Absent if pages are published one by one.
   */
  readonly parent?: string | null | undefined;
  /**
   * Checks the files of a release on an unknown host before it is published, and returns another plan if pages can't
   * load them.
   */
  readonly probeFiles?: ((addresses: Addresses) => Promise<Proven | undefined>) | undefined;
  /** Plans again, because somebody else published in the meantime. */
  readonly replan?: (() => Promise<Proven & { readonly parent: string | null | undefined }>) | undefined;
  /** Called with the release that was published. */
  readonly onReleased?: (release: Release) => void;
  readonly onStep?: OnStep | undefined;
  /** Called with the site, brand kit and blog that are found or created, and with the number of uploaded files. */
  readonly records: RecordWatch;
  /** Tracks whether the account accepts new pages. If absent, a refusal applies only to the one page. */
  readonly room?: Room;
  /** Maximum number of concurrent requests whose order doesn't matter. */
  readonly concurrency: number;
  /** Reads an asset and prepares it for sending. */
  readonly prepare: (asset: SiteAsset) => Promise<PreparedAsset>;
  /** Whether an asset is sent unchanged. */
  readonly isSentAsIs: (asset: SiteAsset) => boolean;
  /** Address of a published page, for the report. */
  readonly pageUrl: (slug: string) => string | undefined;
  /** What the posts need; `undefined` for a site without a blog. */
  readonly posts: PostsWork | undefined;
  /** Creates the blog and publishes the posts to it. */
  readonly applyPosts: (plan: PostsPlan, context: BlogContext) => Promise<void>;
  readonly onOutcome?: (outcome: Outcome) => void;
  readonly signal?: AbortSignal;
}

/**
 * Applies a plan in an order that never shows readers a page whose files are missing: site, assets, new pages, changed
 * pages, posts, brand kit, and deletions only if everything before succeeded. A failure is an outcome, not an
 * exception, unless nothing after it could succeed (a rejected key, an interruption).
 */
export async function applyPlan(asked: Plan, context: ApplyContext): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  const done = new Set<string>();
  const room = createRoom();
  const reporting: ApplyContext = {
    ...context,
    room,
    onOutcome(outcome) {
      // What was applied, or refused, with the first page is reported only once.
      const { resource, kind, status, reason } = outcome;
      const isRefusedFile = resource === "asset" && status === "skipped";
      const name = `${resource} ${outcome.name} ${isRefusedFile ? reason : kind === "inline" ? kind : ""}`;
      if (done.has(name) && (isRefusedFile || status === "done") && kind !== "delete") return;
      if (isRefusedFile || status === "done") done.add(name);
      if (isTaken(outcome)) context.store.confirmRefusals();
      outcomes.push(outcome);
      context.onOutcome?.(outcome);
    },
  };
  const siteId = asked.site === undefined ? context.state.siteId : await applySite(asked.site, reporting);
  const { proven, released } = await applyPageChanges(asked, { ...reporting, siteId });
  const plan = { ...proven.plan, site: asked.site };
  for (const limit of plan.limits) reporting.onOutcome?.({ resource: "host", ...limit, status: "skipped" });
  const addresses = released?.addresses ?? (await applyAssets(plan.assets, reporting));
  if (released === undefined) {
    await applyPages(plan.pages, { ...reporting, addresses, siteId });
    await confirmPages(findWritten(outcomes), { ...reporting, changes: plan.pages });
  }
  for (const outcome of room.outcomes()) reporting.onOutcome?.(outcome);
  const unpublishedPages = new Set([...findUnpublishedPages(outcomes), ...room.leftOut()]);
  await context.applyPosts(plan, { ...reporting, posts: proven.posts, addresses, siteId, unpublishedPages });
  await applyBrandKit(plan, { ...reporting, addresses, siteId });
  if (released === undefined) {
    const isUnreplaced = hasUnpublished(plan.pages) || room.leftOut().size > 0 || outcomes.some(isUnsentPage);
    const because = outcomes.some(isFailure) ? AFTER_FAILURE : isUnreplaced ? MAY_BE_REPLACED : undefined;
    await applyDeletes(plan.pages, { ...reporting, because });
  }
  return outcomes;
}

interface AppliedPages {
  readonly proven: Proven;
  /** The release that the pages were published with; `undefined` if they still have to be published one by one. */
  readonly released?: Extract<Released, { kind: "published" }>;
}

const REPLANS = 5;
const SKIPPED = { counts: "never", status: "skipped" } as const;

/** Publishes the pages and their files in a release if the service supports that. */
async function applyPageChanges(asked: Plan, context: ProbingContext): Promise<AppliedPages> {
  const { siteId, replan, store, onStep } = context;
  let [proven, parent]: [Proven, typeof context.parent] = [{ plan: asked, posts: context.posts }, context.parent];
  if (siteId === undefined || parent === undefined) return { proven: await applyFirstPage(asked, context) };
  for (let plans = 0; ; plans++) {
    store.rememberIds({ release: parent });
    proven = { ...proven, plan: { ...proven.plan, pages: await holdRenamed(proven.plan.pages) } };
    if (!needsRelease(proven.plan)) return { proven };
    const released = await applyRelease(proven.plan, { ...context, siteId, parent, onStep });
    if (released.kind === "published") {
      context.onReleased?.(released.release);
      return { proven, released };
    }
    if (released.kind === "unserved") {
      proven = released.proven;
      continue;
    }
    if (released.kind === "refused") {
      const reason = `${released.error.message} The pages are published one by one`;
      context.onOutcome?.({ resource: "host", kind: "blocked", name: "releases", reason, ...SKIPPED });
      return { proven: await applyFirstPage(proven.plan, context) };
    }
    if (replan === undefined || plans === REPLANS) throw outdated();
    const { parent: live, ...next } = await replan();
    if (live === undefined) return { proven: next };
    [proven, parent] = [next, live];
  }
}

function outdated(): ImprintError {
  return new ImprintError("VERSION_MISMATCH", "Other runs keep publishing this site at the same time.");
}

// A post isn't sent if it links to a page that the run didn't publish.
function findUnpublishedPages(outcomes: readonly Outcome[]): ReadonlySet<string> {
  return new Set(
    outcomes.filter(({ resource, status }) => resource === "page" && status !== "done").map(({ name }) => name),
  );
}

function findWritten(outcomes: readonly Outcome[]): WrittenPages {
  const written = outcomes.filter((outcome) => outcome.resource === "page" && isWritten(outcome));
  return new Map(written.map((outcome) => [outcome.name, outcome]));
}

// Files are sent before the pages and posts that use them.
function isTaken(outcome: Outcome): boolean {
  return (outcome.resource === "page" || outcome.resource === "post") && isWritten(outcome);
}

function isUnsentPage({ resource, kind, status }: Outcome): boolean {
  return resource === "page" && kind === "create" && status !== "done";
}

// A permanent refusal by the host is no reason to keep pages that the site no longer has.
function isFailure({ status, error }: Outcome): boolean {
  return status === "failed" && !isAreaRefusal(error);
}

const LONG_SLUG = 24;

type ProbingContext = ApplyContext & { readonly siteId: string | undefined };

/**
 * Sends one page with its files, then pages with parts that it lacks and one with a long slug, and replans the rest
 * according to what the host did with them.
 */
async function applyFirstPage(plan: Plan, context: ProbingContext): Promise<Proven> {
  const asked: Proven = { plan, posts: context.posts };
  const { prove } = context;
  if (prove === undefined) return asked;
  const writes = writesOf(plan);
  // The home page usually contains what all pages share.
  const home = writes.find(({ desired }) => desired.route === "/") ?? writes[0];
  let proven = home === undefined ? asked : await sendFirst(home, asked, { ...context, prove });
  const tried = new Set(home?.desired.parts);
  for (;;) {
    const other = writesOf(proven.plan).find(({ desired }) =>
      desired.parts.some((part) => TRIED_PARTS.has(part) && !tried.has(part)),
    );
    if (other === undefined) break;
    for (const part of other.desired.parts) tried.add(part);
    proven = await sendFirst(other, proven, { ...context, prove });
  }
  return await probeSlugs(proven, { ...context, prove });
}

type Prove = Required<Pick<ApplyContext, "prove">>;

/**
 * Sends the page with the longest slug that may be refused. If the service refuses it without reporting which slugs it
 * accepts, tries underscores.
 */
async function probeSlugs(before: Proven, context: ProbingContext & Prove): Promise<Proven> {
  const { api, store, prove } = context;
  const areKnown = api.capabilities.account !== undefined;
  const findNext = ({ plan }: Proven) =>
    writesOf(plan)
      .filter(({ name }) => name.length > LONG_SLUG || (!areKnown && name.includes("-")))
      .toSorted((one, other) => other.name.length - one.name.length)[0];
  const page = findNext(before);
  if (page === undefined) return before;
  const { error, ...proven } = await sendFirst(page, before, context);
  if (!isSlugRefusal(error) || !page.name.includes("-") || findNext(proven)?.name !== page.name) return proven;
  const replanWith = async (learned: Dialect): Promise<Proven> => {
    api.learn(learned);
    return await prove({ desired: page.desired, record: undefined, html: "", addresses: new Map(), store });
  };
  const guessed = await replanWith({ slugSeparator: "_" });
  const other = writesOf(guessed.plan).find(({ desired }) => desired.route === page.desired.route);
  const second = other && (await sendFirst(other, guessed, context));
  return second !== undefined && second.error === undefined ? second : await replanWith({ slugSeparator: undefined });
}

type Write = Extract<PageChange, { kind: "create" | "update" }>;

// A page that only redirects reveals nothing about the host.
function writesOf({ pages }: Plan): readonly Write[] {
  return pages
    .filter((change) => change.kind === "create" || change.kind === "update")
    .filter(({ desired }) => desired.redirect === undefined);
}

async function sendFirst(
  change: Write,
  before: Proven,
  context: ProbingContext & Prove,
): Promise<Proven & Pick<Outcome, "error">> {
  const { desired } = change;
  const assets = new Map(before.plan.assets.map(({ asset }) => [asset.hash, asset]));
  const needed = withNested(desired.assets, (hash) => assets.get(hash));
  const files = before.plan.assets.filter(({ asset }) => needed.has(asset.hash));
  // Failed files are sent again with the others, and reported then.
  const addresses = await applyAssets(files, {
    ...context,
    readsImages: true,
    onOutcome: (each) => (each.status === "failed" ? undefined : context.onOutcome?.(each)),
  });
  let outcome: Outcome | undefined;
  const onOutcome = (reported: Outcome) => {
    if (reported.name === change.name) outcome = reported;
    else context.onOutcome?.(reported);
  };
  const sent = await sendPage(change, { ...context, addresses, onOutcome });
  const isKept = sent?.record.slug === desired.slug && !(await isKeptElsewhere(change, context));
  const page = isKept ? sent : undefined;
  const { record, html = "" } = page ?? {};
  // A page that the host didn't accept is sent again with the others, perhaps under another slug.
  if (outcome !== undefined && page !== undefined) context.onOutcome?.(outcome);
  const proven = await context.prove?.({
    desired,
    record,
    html,
    addresses,
    store: context.store,
  });
  const { error } = outcome ?? {};
  return { ...(proven ?? before), ...(error === undefined ? {} : { error }) };
}

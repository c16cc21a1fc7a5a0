import type { Bytes } from "../base/bytes.ts";
import { ImprintError } from "../base/error.ts";
import type { ImprintApi, Page } from "../client/api.ts";
import type { SiteAsset } from "../site/model.ts";
import { applyAssets, type Addresses } from "./apply/assets.ts";
import { applyBrandKit } from "./apply/brand-kit.ts";
import { applyDeletes } from "./apply/deletes.ts";
import { applyPages, sendPage } from "./apply/pages.ts";
import { applySite } from "./apply/site.ts";
import type { Seen } from "./known.ts";
import type { ChangeKind, ChangeSummary, PageChange, Plan, ResourceName } from "./changes.ts";
import { withNested, type DesiredPage } from "./desired.ts";
import { isAreaRefusal } from "./refusals.ts";
import { applyBlogPosts, findUnpublishedPages } from "./posts/apply-blog.ts";
import type { PostsWork } from "./posts/apply-blog.ts";
import { watchRecords, type RecordWatch } from "./seen-changes.ts";
import type { State } from "./state.ts";
import type { StateKeeper } from "./state-keeper.ts";

/** The bytes that are uploaded for an asset. */
export interface PreparedAsset {
  readonly name: string;
  readonly contentType: string;
  readonly bytes: Bytes;
  /** Size before it was optimized. */
  readonly bytesBefore: number;
}

/** What is to be done after the first page. */
export interface Proven {
  readonly plan: Plan;
  readonly posts: PostsWork | undefined;
}

/** A page that was sent alone. */
export interface FirstPage {
  readonly desired: DesiredPage;
  /** As the service answered; `undefined` when it did not take the page. */
  readonly record: Page | undefined;
  /** The HTML as it was sent. */
  readonly html: string;
  readonly addresses: Addresses;
  readonly keeper: StateKeeper;
}

/** What came of one change. */
export interface Outcome {
  readonly resource: ResourceName;
  readonly kind: ChangeKind;
  readonly name: string;
  readonly reason: string;
  readonly status: "done" | "failed" | "skipped";
  /** Where a person can look at it. */
  readonly url?: string;
  readonly error?: ImprintError;
  readonly hint?: string;
  readonly counts?: ChangeSummary["counts"];
  /** What is different, a line each. */
  readonly details?: readonly string[];
  /** Bytes that were sent. */
  readonly bytes?: number;
  /** Bytes before optimizing, for images. */
  readonly bytesBefore?: number;
}

export interface ApplyContext {
  readonly api: ImprintApi;
  readonly keeper: StateKeeper;
  /** The state with which the run began. */
  readonly state: State;
  /** Id of the project, which everything that is sent carries. */
  readonly project: string;
  /** Makes the key of one attempt at one change. */
  readonly newKey: () => string;
  /** How the service was found when the plan was made. */
  readonly seen: Seen;
  /**
   * Looks at the first page of a host that is not known yet, as its readers do, before the rest is sent, and gives the
   * plan for the rest. Absent: the host is known.
   */
  readonly prove?: ((first: FirstPage) => Promise<Proven>) | undefined;
  /** Is told what is found and made of the site, the brand kit and the blog. Absent: nobody remembers it. */
  readonly records?: RecordWatch;
  /** How many requests run at a time, where their order does not matter. */
  readonly concurrency: number;
  /** Reads an asset and makes it ready to be sent. */
  readonly prepare: (asset: SiteAsset) => Promise<PreparedAsset>;
  /** Address of a published page, for the report. */
  readonly pageUrl: (slug: string) => string | undefined;
  /** What the posts need; `undefined` for a site without a blog. */
  readonly posts: PostsWork | undefined;
  readonly onOutcome?: (outcome: Outcome) => void;
  readonly signal?: AbortSignal;
}

/**
 * Does what a plan says, in an order that never shows readers a page whose files are missing: site, assets, new pages,
 * changed pages, posts, brand kit, and deletes only when everything before went well. What fails is an outcome, not an
 * exception, unless nothing after it could succeed (a rejected key, an interruption): that is thrown.
 */
export async function applyPlan(asked: Plan, context: ApplyContext): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  const done = new Set<string>();
  const records = watchRecords(context.api);
  const reporting: ApplyContext = {
    ...context,
    records,
    onOutcome(outcome) {
      // What went with the first page is told once.
      const name = `${outcome.resource} ${outcome.name}`;
      if (done.has(name) && outcome.status === "done" && outcome.kind !== "delete") return;
      if (outcome.status === "done") done.add(name);
      outcomes.push(outcome);
      context.onOutcome?.(outcome);
    },
  };
  const siteId = asked.site === undefined ? undefined : await applySite(asked.site, reporting);
  const proven = await applyFirstPage(asked, { ...reporting, siteId });
  const plan = { ...proven.plan, site: asked.site };
  for (const limit of plan.limits) reporting.onOutcome?.({ resource: "host", ...limit, status: "skipped" });
  const addresses = await applyAssets(plan.assets, reporting);
  await applyPages(plan.pages, { ...reporting, addresses, siteId });
  const unpublishedPages = findUnpublishedPages(outcomes);
  await applyBlogPosts(plan, { ...reporting, posts: proven.posts, addresses, siteId, unpublishedPages });
  await applyBrandKit(plan, { ...reporting, addresses, siteId });
  await applyDeletes(plan.pages, { ...reporting, hasFailures: outcomes.some(isFailure) });
  await records.remember(context.keeper);
  return outcomes;
}

// What the host refuses for good is no reason to leave pages that the site no longer has.
function isFailure({ status, error }: Outcome): boolean {
  return status === "failed" && !isAreaRefusal(error);
}

const LONG_SLUG = 24;
const MOST_TRIES = 2;

/** Sends one page with its files, and plans the rest by what the host made of it. */
async function applyFirstPage(
  plan: Plan,
  context: ApplyContext & { readonly siteId: string | undefined },
): Promise<Proven> {
  let current: Proven = { plan, posts: context.posts };
  if (context.prove === undefined) return current;
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const first = chooseFirstPage(current.plan.pages);
    if (first === undefined) return current;
    const { desired } = first;
    const assets = new Map(current.plan.assets.map(({ asset }) => [asset.hash, asset]));
    const needed = withNested(desired.assets, (hash) => assets.get(hash));
    const files = current.plan.assets.filter(({ asset }) => needed.has(asset.hash));
    const addresses = await applyAssets(files, context);
    const page = await sendPage(first, { ...context, addresses });
    const html = page?.html ?? "";
    current = await context.prove({ desired, record: page?.record, html, addresses, keeper: context.keeper });
    if (page !== undefined) return current;
  }
  return current;
}

type Write = Extract<PageChange, { kind: "create" | "update" }>;

// The home page shows what all pages share. A long slug shows whether the host takes it.
function chooseFirstPage(pages: readonly PageChange[]): Write | undefined {
  const writes = pages.filter((change): change is Write => change.kind === "create" || change.kind === "update");
  const longest = writes.toSorted((one, other) => other.name.length - one.name.length)[0];
  if (longest !== undefined && longest.name.length > LONG_SLUG) return longest;
  return writes.find(({ desired }) => desired.route === "/") ?? writes[0];
}

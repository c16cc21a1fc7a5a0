import type { Bytes } from "../base/bytes.ts";
import { ImprintError } from "../base/error.ts";
import type { ImprintApi } from "../client/api.ts";
import type { SiteAsset } from "../site/model.ts";
import { applyAssets } from "./apply/assets.ts";
import { applyBrandKit } from "./apply/brand-kit.ts";
import { applyDeletes } from "./apply/deletes.ts";
import { applyPages } from "./apply/pages.ts";
import { applySite } from "./apply/site.ts";
import type { Seen } from "./known.ts";
import type { ChangeKind, ChangeSummary, Plan, ResourceName } from "./changes.ts";
import { applyBlogPosts, findUnpublishedPages } from "./posts/apply-blog.ts";
import type { PostsWork } from "./posts/apply-blog.ts";
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
export async function applyPlan(plan: Plan, context: ApplyContext): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  const reporting: ApplyContext = {
    ...context,
    onOutcome(outcome) {
      outcomes.push(outcome);
      context.onOutcome?.(outcome);
    },
  };
  const siteId = plan.site === undefined ? undefined : await applySite(plan.site, reporting);
  const addresses = await applyAssets(plan.assets, reporting);
  await applyPages(plan.pages, { ...reporting, addresses, siteId });
  await applyBlogPosts(plan, { ...reporting, addresses, siteId, unpublishedPages: findUnpublishedPages(outcomes) });
  await applyBrandKit(plan, { ...reporting, addresses, siteId });
  await applyDeletes(plan.pages, { ...reporting, hasFailures: outcomes.some(isFailure) });
  return outcomes;
}

function isFailure(outcome: Outcome): boolean {
  return outcome.status === "failed";
}

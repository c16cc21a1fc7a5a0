import type { ChangeKind, Counts, ResourceName } from "../base/outcome.ts";
import type { Asset, Blog, BrandKit, Site } from "../client/api.ts";
import type { BrandKitBody } from "../contract/operations/content.ts";
import type { SiteAsset } from "../site/model.ts";
import type { DesiredBrandKit, DesiredPage, DesiredSite } from "./desired.ts";
import type { KnownPage } from "./known-pages.ts";
import type { PostChange } from "../posts/plan/changes.ts";
import type { DesiredBlog } from "../posts/local/desire-blog.ts";

/** What every change says, whatever it changes. */
interface ChangeBase {
  /** Slug of a page or post, file name of an asset, name of the rest. */
  readonly name: string;
  /** Why, in words that finish the sentence "about is updated because …". */
  readonly reason: string;
  /** What is different, a line each: `primary #25c2a0 → #2bd4b0`. */
  readonly details?: readonly string[];
}

/** `blocked`: wanted, but the service or a promise of ours does not allow it. */
export interface Blocked extends ChangeBase {
  readonly kind: "blocked";
  readonly hint?: string;
  readonly counts?: Counts;
}

export type SiteChange =
  | (SiteChangeBase & { readonly kind: "create"; readonly desired: DesiredSite; readonly namesakes: readonly string[] })
  | (SiteChangeBase & { readonly kind: "update"; readonly desired: DesiredSite; readonly known: Site })
  | (SiteChangeBase & { readonly kind: "keep"; readonly known: Site })
  | Blocked;

interface SiteChangeBase extends ChangeBase {
  /** What the project wants, even where the service keeps what somebody changed there. */
  readonly wanted: Readonly<Record<string, string>>;
}

export type AssetChange =
  | (ChangeBase & { readonly kind: "create"; readonly asset: SiteAsset })
  | (ChangeBase & { readonly kind: "keep"; readonly asset: SiteAsset; readonly known: Asset })
  /** The library refuses the file: it is put into the pages that use it. */
  | (ChangeBase & { readonly kind: "inline"; readonly asset: SiteAsset })
  | (Blocked & { readonly asset: SiteAsset });

export type PageChange =
  | (ChangeBase & { readonly kind: "create"; readonly desired: DesiredPage })
  | (ChangeBase & { readonly kind: "update"; readonly desired: DesiredPage; readonly known: KnownPage })
  | (ChangeBase & { readonly kind: "keep"; readonly desired: DesiredPage; readonly known: KnownPage })
  | (ChangeBase & { readonly kind: "delete"; readonly known: KnownPage })
  /** Published by imprint and no longer in the site; reported and left untouched. */
  | (ChangeBase & { readonly kind: "orphan"; readonly known: KnownPage })
  /**
   * `holder`: the project whose page stands there. `known`: our page, as it was sent, that readers don't see. `edit`: what
   * would replace our page, and the title that it was given at the service. `isNew`: the project has no page there, so
   * that what this one shows may stand nowhere but in one that it replaces.
   */
  | (Blocked & {
      readonly holder?: string;
      readonly known?: KnownPage;
      readonly edit?: { readonly desired: DesiredPage; readonly title: string | undefined };
      readonly isNew?: true;
    });

export type BlogChange =
  | (ChangeBase & { readonly kind: "create"; readonly desired: DesiredBlog; readonly namesakes: readonly string[] })
  | (ChangeBase & { readonly kind: "keep"; readonly known: Blog })
  | Blocked;

export type BrandKitChange =
  | (ChangeBase & { readonly kind: "create"; readonly desired: DesiredBrandKit; readonly namesakes: readonly string[] })
  | (ChangeBase & { readonly kind: "update"; readonly desired: DesiredBrandKit; readonly known: BrandKit })
  | (ChangeBase & { readonly kind: "keep"; readonly known: BrandKit })
  | Blocked;

/** What a run will do, in the order in which it does it. */
export interface Plan {
  /** `undefined` for a preview, which stands outside the site. */
  readonly site: SiteChange | undefined;
  readonly assets: readonly AssetChange[];
  readonly pages: readonly PageChange[];
  readonly blog: BlogChange | undefined;
  readonly posts: readonly PostChange[];
  readonly brandKit: BrandKitChange | undefined;
  /** What the host can't do, whatever is sent to it. */
  readonly limits: readonly Limit[];
}

/** `resource`: what it is counted as. Default: `host`. */
export type Limit = Blocked & { readonly resource?: "asset" };

/** One change without the records it works on: what a report shows. */
export interface ChangeSummary extends ChangeBase {
  readonly resource: ResourceName;
  readonly kind: ChangeKind;
  readonly hint?: string;
  readonly counts?: Counts;
  /** Bytes that are sent, when they are known beforehand. */
  readonly bytes?: number;
}

/** The plan as one list. */
export function summarizePlan(plan: Plan): readonly ChangeSummary[] {
  return listChanges(plan).map(([resource, change]) => summarize(resource, change));
}

/** Every change of a plan with the kind of record that it is about, in the order in which reports name them. */
export function listChanges(plan: Plan): readonly (readonly [ResourceName, AnyChange])[] {
  const { site, assets, pages, blog, posts, brandKit, limits } = plan;
  const groups: readonly (readonly [ResourceName, readonly (AnyChange | undefined)[]])[] = [
    ["site", [site]],
    ["asset", assets.map((change) => ({ ...change, bytes: assetBytes(change) }))],
    ["asset", limits.filter(({ resource }) => resource === "asset")],
    ["page", pages.map((change) => ({ ...change, bytes: pageBytes(change) }))],
    ["blog", [blog]],
    ["post", posts],
    ["brand kit", [brandKit]],
    ["host", limits.filter(({ resource }) => resource === undefined)],
  ];
  return groups.flatMap(([resource, changes]) =>
    changes.flatMap((change) => (change === undefined ? [] : [[resource, change] as const])),
  );
}

type AnyChange = Omit<ChangeSummary, "resource">;

function summarize(resource: ResourceName, change: AnyChange): ChangeSummary {
  const { kind, name, reason, hint, details, counts, bytes } = change;
  return { resource, kind, name, reason, hint, details, counts, bytes };
}

function assetBytes(change: AssetChange): number | undefined {
  if (change.kind !== "create") return undefined;
  const { source } = change.asset;
  return source.kind === "file" ? source.bytes : Buffer.byteLength(source.text);
}

function pageBytes(change: PageChange): number | undefined {
  return change.kind === "create" || change.kind === "update" ? change.desired.bytes : undefined;
}

/** Whether a kit holds the same values, however the service writes absent fields. */
export function isSameBrandKit(known: BrandKit, wanted: BrandKitBody): boolean {
  // A service that shows no frame has none that could be another one.
  const isFrameShown = known.frame !== undefined;
  return comparable(known, isFrameShown) === comparable(wanted, isFrameShown);
}

function comparable(kit: BrandKitBody | BrandKit, isFrameShown: boolean): string {
  const { name, colors = [], fonts = [], logos = [], design = null, frame = null } = kit;
  return JSON.stringify([name, colors, fonts, logos, ...(isFrameShown ? [design, frame] : [])].map(withoutAbsent));
}

function withoutAbsent(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutAbsent);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([, field]) => field !== undefined && field !== null);
  return Object.fromEntries(
    entries.sort(([left], [right]) => (left < right ? -1 : 1)).map(([name, field]) => [name, withoutAbsent(field)]),
  );
}

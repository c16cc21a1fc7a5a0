import type { ChangeKind, Counts, ResourceName } from "../base/outcome.ts";
import type { Asset, Blog, BrandKit, Site } from "../client/api.ts";
import type { BrandKitBody } from "../contract/operations/content.ts";
import type { SiteAsset } from "../site/model.ts";
import type { DesiredBrandKit, DesiredPage, DesiredSite } from "./desired.ts";
import type { KnownPage } from "./known-pages.ts";
import type { PostChange } from "../posts/plan/changes.ts";
import type { DesiredBlog } from "../posts/local/desire-blog.ts";

/** Fields of every change. */
interface ChangeBase {
  /** Slug of a page or post, file name of an asset, name of the rest. */
  readonly name: string;
  /** Reason that completes the sentence "about is updated because …". */
  readonly reason: string;
  /** The differences, one per line: `primary #25c2a0 → #2bd4b0`. */
  readonly details?: readonly string[];
}

/** `blocked`: wanted, but not allowed by the service or by one of our guarantees. */
export interface Blocked extends ChangeBase {
  readonly kind: "blocked";
  readonly hint?: string;
  readonly counts?: Counts;
  /** What is accepted one by one. Default: the change as a whole. */
  readonly parts?: readonly string[] | undefined;
  /** Set if what is blocked is deleting a page that isn't part of the site. */
  readonly isLeftover?: true;
}

export type SiteChange =
  | (SiteChangeBase & { readonly kind: "create"; readonly desired: DesiredSite; readonly namesakes: readonly string[] })
  | (SiteChangeBase & { readonly kind: "update"; readonly desired: DesiredSite; readonly known: Site })
  | (SiteChangeBase & { readonly kind: "keep"; readonly known: Site })
  | Blocked;

interface SiteChangeBase extends ChangeBase {
  /** The project's values, even if the service keeps values that somebody changed there. */
  readonly wanted: Readonly<Record<string, string>>;
}

export type AssetChange =
  | (ChangeBase & { readonly kind: "create"; readonly asset: SiteAsset })
  | (ChangeBase & { readonly kind: "keep"; readonly asset: SiteAsset; readonly known: Asset })
  /** The library refuses the file, so it is inlined in the pages that use it. */
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
   * `holder`: the project whose page is there. `known`: our page, as sent, that readers don't see. `wanted`: the page of
   * the site, and the title that somebody gave it on the service. `isNew`: the project has no page there, so a page that
   * this one replaces may be the only one with its content.
   */
  | (Blocked & {
      readonly holder?: string;
      readonly known?: KnownPage;
      readonly wanted?: { readonly desired: DesiredPage; readonly title?: string | undefined };
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
  /** `known`: a kit that somebody edited on the service, or that the site no longer uses. */
  | (Blocked & { readonly known?: BrandKit });

/** What a run will do, in order. */
export interface Plan {
  /** `undefined` for a preview, which isn't part of the site. */
  readonly site: SiteChange | undefined;
  readonly assets: readonly AssetChange[];
  /** New files that nothing needs which is sent, for a post that turns out to be incomplete for readers. */
  readonly spareAssets?: readonly AssetChange[];
  readonly pages: readonly PageChange[];
  readonly blog: BlogChange | undefined;
  readonly posts: readonly PostChange[];
  readonly brandKit: BrandKitChange | undefined;
  /** General limitations of the host. */
  readonly limits: readonly Limit[];
}

/** `resource`: the resource that it is counted as. Default: `host`. */
export type Limit = Blocked & { readonly resource?: "asset" };

/** One change without its records, for reports. */
export interface ChangeSummary extends ChangeBase {
  readonly resource: ResourceName;
  readonly kind: ChangeKind;
  readonly hint?: string;
  readonly counts?: Counts;
  readonly isLeftover?: true;
  /** Number of bytes to send, if known in advance. */
  readonly bytes?: number;
}

/** Returns the plan as one list. */
export function summarizePlan(plan: Plan): readonly ChangeSummary[] {
  return listChanges(plan).map(([resource, change]) => summarize(resource, change));
}

/** Returns every change of a plan with its kind of record, in the order of reports. */
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
  const { kind, name, reason, hint, details, counts, isLeftover, bytes } = change;
  return { resource, kind, name, reason, hint, details, counts, isLeftover, bytes };
}

function assetBytes(change: AssetChange): number | undefined {
  if (change.kind !== "create") return undefined;
  const { source } = change.asset;
  return source.kind === "file" ? source.bytes : Buffer.byteLength(source.text);
}

function pageBytes(change: PageChange): number | undefined {
  return change.kind === "create" || change.kind === "update" ? change.desired.bytes : undefined;
}

/** Whether two kits have the same values, however the service represents absent fields. */
export function isSameBrandKit(known: BrandKit, wanted: BrandKitBody): boolean {
  // If the service doesn't return frames, they can't be compared, nor can other fields that not every service has.
  const isFrameShown = known.frame !== undefined;
  return comparable(known, isFrameShown) === comparable(wanted, isFrameShown);
}

function comparable(kit: BrandKitBody | BrandKit, isFrameShown: boolean): string {
  const { name, colors = [], fonts = [], logos = [], design = null, frame = null } = kit;
  const families = isFrameShown ? fonts : fonts.map((font) => ({ ...font, fallback: undefined }));
  return JSON.stringify([name, colors, families, logos, ...(isFrameShown ? [design, frame] : [])].map(withoutAbsent));
}

function withoutAbsent(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutAbsent);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([, field]) => field !== undefined && field !== null);
  return Object.fromEntries(
    entries.sort(([left], [right]) => (left < right ? -1 : 1)).map(([name, field]) => [name, withoutAbsent(field)]),
  );
}

import type { FormsExportBody } from "../contract/operations/visitors.ts";
import type { CallOptions, Listing } from "./api.ts";
import type { parseForm, parsePageStats, parseSubmission } from "./records/visitor-records.ts";

/** A form on a published page. */
export interface Form extends ReturnType<typeof parseForm> {}

export interface FormField {
  readonly name: string;
  readonly type?: string;
  readonly required?: boolean;
}

/** What a visitor sent through a form. */
export interface Submission extends ReturnType<typeof parseSubmission> {
  /** In the order in which the service reports them. */
  readonly fields: ReadonlyMap<string, string | readonly string[]>;
  /** Whether the e-mail address came for the first time. */
  readonly lead?: boolean;
}

/** A span of days in UTC, both written as `2026-08-01` and both in it. The service decides what is meant without. */
export interface DayRange {
  readonly from?: string;
  readonly to?: string;
}

export interface SubmissionsQuery extends DayRange {
  /** Name of one form of the page. */
  readonly form?: string;
  /** Lists what was taken for spam in place of everything else. */
  readonly spam?: boolean;
}

export interface FormsApi {
  /** Route set A only. */
  list(query?: { readonly pageSlug?: string }, options?: CallOptions): Promise<Listing<Form>>;
  /**
   * The submissions as a document, oldest first: CSV that spreadsheets open without running it, or JSON where that is
   * asked for. Route set A has no such request, so that it is put together from its lists.
   */
  export(request?: FormsExportBody, options?: CallOptions): Promise<string>;
}

export interface SubmissionsApi {
  /** What was sent through the forms of a page; in route set B also through one form, by its id. */
  list(pageSlug: string, query?: SubmissionsQuery, options?: CallOptions): Promise<Listing<Submission>>;
  /** Route set A only. Erases a submission; one that is gone already is no error. */
  delete(pageSlug: string, id: string, options?: CallOptions): Promise<void>;
}

/** What visitors did on a page. */
export interface PageStats extends ReturnType<typeof parsePageStats> {
  /** How far the page was scrolled on average, in per cent. */
  readonly avgScroll?: number;
  /** How long it was looked at on average. */
  readonly avgSeconds?: number;
}

export interface PageAnalytics {
  readonly totals: PageStats;
  readonly series: readonly { readonly at: Date; readonly views: number; readonly visitors: number }[];
  readonly referrers: readonly { readonly host: string; readonly views: number }[];
  readonly devices: Readonly<Record<string, number>>;
}

export interface Heatmap {
  readonly views: number;
  /** Places that were clicked: thousandths of the page's width, and pixels from its top. */
  readonly points: readonly { readonly x: number; readonly y: number; readonly count: number }[];
  readonly elements: readonly { readonly selector: string; readonly count: number }[];
  /** Height of the page in pixels. */
  readonly height?: number;
}

export interface ScrollDepth {
  readonly views: number;
  /** In per cent of the page. */
  readonly average?: number;
  readonly median?: number;
  /** How many views came at least so far. */
  readonly buckets: readonly { readonly depth: number; readonly reached: number; readonly share: number }[];
}

export interface LayoutQuery extends DayRange {
  readonly pageId?: string;
  readonly slug?: string;
  readonly device?: "all" | "mobile" | "tablet" | "desktop";
  /** Only views of this version of the page. */
  readonly version?: number;
}

export interface AnalyticsApi {
  /** Route set A only. */
  summary(
    query?: DayRange & { readonly siteId?: string; readonly sort?: "views" },
    options?: CallOptions,
  ): Promise<Listing<PageStats>>;
  /** Route set B only. `undefined` when there is no such page. */
  page(
    idOrSlug: string,
    query?: DayRange & { readonly interval?: "day" | "hour" },
    options?: CallOptions,
  ): Promise<PageAnalytics | undefined>;
  /** Route set B only. */
  heatmap(query: LayoutQuery, options?: CallOptions): Promise<Heatmap>;
  /** Route set B only. */
  scrollDepth(query: LayoutQuery, options?: CallOptions): Promise<ScrollDepth>;
}

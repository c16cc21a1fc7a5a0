import { formRecord, pageStatsRecord, submissionRecord } from "../../contract/records.ts";
import { isJsonObject } from "../../base/json.ts";
import {
  asCount,
  asFlag,
  asNumber,
  countOf,
  dateOf,
  fieldOf,
  firstOf,
  ID_NAMES,
  idOf,
  recordsOf,
  textOf,
  type JsonRecord,
} from "./fields.ts";
import { createRecordReader, findRecord, unreadable, type RecordContext } from "./read-record.ts";

// The specification defines no fields for these records, so everything except an id may be missing.

export const { parse: parseForm } = createRecordReader({
  record: formRecord,
  names: ["form"],
  wanted: "form with an ID or the slug of its page",
  needsOne: ["id", "pageSlug"],
  fields: {
    id: ["formId"],
    name: ["title"],
    pageSlug: ["slug", "page"],
    fields: (record) => recordsOf(record, "fields", "inputs").flatMap(readField),
    submissionCount: ["submissionsCount", "submissions", "count"],
    createdAt: ["created"],
    lastSubmissionAt: [],
  },
});

/** A form on a published page. */
export interface Form extends ReturnType<typeof parseForm> {}

export interface FormField {
  readonly name: string;
  readonly type?: string;
  readonly required?: boolean;
}

function readField(record: JsonRecord): readonly FormField[] {
  const name = textOf(record, "name", "key", "id");
  return name === undefined ? [] : [{ name, type: textOf(record, "type"), required: asFlag(record.required) }];
}

export const { parse: parseSubmission } = createRecordReader({
  record: submissionRecord,
  names: ["submission"],
  wanted: "submission with an ID",
  needs: ["id"],
  fields: {
    id: (record) => idOf(record, "submissionId", ...ID_NAMES),
    formId: [],
    form: (record) => textOf(record, "formName", "form"),
    pageSlug: ["page"],
    fields: (record) => readValues(fieldOf(record, "fields", "data", "values", "answers")),
    email: [],
    lead: [],
    spam: [],
    read: [],
    createdAt: ["submittedAt", "created"],
  },
});

/** What a visitor sent through a form. */
export interface Submission extends ReturnType<typeof parseSubmission> {
  /** In the order reported by the service. */
  readonly fields: ReadonlyMap<string, string | readonly string[]>;
  /** Whether it is the first submission with this email address. */
  readonly lead?: boolean;
}

// A record of values, or a list of {name, value}.
function readValues(value: unknown): ReadonlyMap<string, string | readonly string[]> {
  const entries = Array.isArray(value)
    ? value.filter(isJsonObject).map((field) => [textOf(field, "name", "key") ?? "", field.value] as const)
    : Object.entries(isJsonObject(value) ? value : {});
  return new Map(entries.flatMap(([name, given]) => (given === null ? [] : [[name, textsOf(given)] as const])));
}

function textsOf(value: unknown): string | readonly string[] {
  if (Array.isArray(value)) return value.map(String);
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

const stats = createRecordReader({
  record: pageStatsRecord,
  names: ["page"],
  wanted: "page with a slug and its views",
  needs: ["slug"],
  fields: {
    slug: ["pageSlug", "path"],
    id: ["pageId"],
    title: ["name"],
    views: (record) => countOf(record, "views", "pageViews", "pageviews") ?? 0,
    visitors: ["uniqueVisitors"],
    clicks: [],
    submissions: ["formSubmissions", "conversions"],
    avgScroll: ["averageScroll", "scrollDepth"],
    avgSeconds: ["averageSeconds", "avgTimeOnPage"],
  },
});

export const parsePageStats = stats.parse;

/** Visitor statistics of a page. */
export interface PageStats extends ReturnType<typeof parsePageStats> {
  /** Average scroll depth, in percent. */
  readonly avgScroll?: number;
  /** Average viewing time, in seconds. */
  readonly avgSeconds?: number;
}

export interface PageAnalytics extends ReturnType<typeof parsePageAnalytics> {}

export function parsePageAnalytics(json: unknown, context: RecordContext & { readonly asked: string }) {
  const fits = (record: JsonRecord) => {
    const totals = fieldOf(record, "totals", "summary", "metrics");
    const page = fieldOf(record, "page");
    const named = { slug: context.asked, ...(isJsonObject(page) && page), ...(isJsonObject(totals) ? totals : record) };
    return isJsonObject(totals) || countOf(record, "views", "pageViews") !== undefined
      ? { record, totals: stats.read(named, context) }
      : undefined;
  };
  const found = findRecord(json, { names: ["analytics"], fits });
  if (found?.totals === undefined) throw unreadable("numbers of a page", { ...context, json });
  const { record, totals } = found;
  return {
    totals,
    series: recordsOf(record, "series", "timeline", "daily").flatMap((entry) => {
      const at = dateOf(entry, "at", "date", "day");
      return at === undefined ? [] : [{ at, views: countIn(entry, "views"), visitors: countIn(entry, "visitors") }];
    }),
    referrers: recordsOf(record, "referrers", "sources").flatMap((entry) => {
      const host = textOf(entry, "host", "referrer", "source", "name");
      return host === undefined ? [] : [{ host, views: countIn(entry, "views", "count") }];
    }),
    devices: readDevices(fieldOf(record, "devices")),
  };
}

function readDevices(devices: unknown): Readonly<Record<string, number>> {
  if (!isJsonObject(devices)) return {};
  return Object.fromEntries(Object.entries(devices).map(([name, count]) => [name, asCount(count) ?? 0]));
}

export interface Heatmap extends ReturnType<typeof parseHeatmap> {}

export function parseHeatmap(json: unknown, context: RecordContext) {
  const record = findWithList(json, { names: ["points", "clicks"], wanted: "heat map with points", context });
  return {
    views: countIn(record, "views"),
    /** Clicked positions: thousandths of the page width, and pixels from the top. */
    points: recordsOf(record, "points", "clicks").flatMap((point) => {
      const [x, y] = [asNumber(point.x), asNumber(point.y)];
      return x === undefined || y === undefined ? [] : [{ x, y, count: countOf(point, "count", "value") ?? 1 }];
    }),
    elements: recordsOf(record, "elements").flatMap((element) => {
      const selector = textOf(element, "selector");
      return selector === undefined ? [] : [{ selector, count: countIn(element, "count") }];
    }),
    /** Height of the page in pixels. */
    height: countOf(record, "height"),
  };
}

export interface ScrollDepth extends ReturnType<typeof parseScrollDepth> {}

export function parseScrollDepth(json: unknown, context: RecordContext) {
  const record = findWithList(json, { names: ["buckets", "depths"], wanted: "scroll depths", context });
  return {
    views: countIn(record, "views"),
    /** In percent of the page. */
    average: firstOf(record, ["average", "avg"], asNumber),
    median: asNumber(record.median),
    /** Number of views that reached at least this depth. */
    buckets: recordsOf(record, "buckets", "depths").map((bucket) => ({
      depth: firstOf(bucket, ["depth", "percent"], asNumber) ?? 0,
      reached: countIn(bucket, "reached", "count"),
      share: asNumber(bucket.share) ?? 0,
    })),
  };
}

export interface PageDetails extends PageAnalytics {
  readonly scrollDepth: ScrollDepth;
  readonly heatmap: Heatmap;
}

export function parsePageDetails(json: unknown, context: RecordContext & { readonly asked: string }): PageDetails {
  const { scrollDepth, heatmap }: Readonly<Record<string, unknown>> = Object(json);
  return {
    ...parsePageAnalytics(json, context),
    scrollDepth: parseScrollDepth(scrollDepth, context),
    heatmap: parseHeatmap(heatmap, context),
  };
}

interface Wanted {
  /** Names that the list may have. */
  readonly names: readonly string[];
  readonly wanted: string;
  readonly context: RecordContext;
}

function findWithList(json: unknown, { names, wanted, context }: Wanted): JsonRecord {
  const fits = (record: JsonRecord) => (Array.isArray(fieldOf(record, ...names)) ? record : undefined);
  const found = findRecord(json, { names: ["heatmap", "scrollDepth"], fits });
  if (found === undefined) throw unreadable(wanted, { ...context, json });
  return found;
}

function countIn(record: JsonRecord, ...names: readonly string[]): number {
  return countOf(record, ...names) ?? 0;
}

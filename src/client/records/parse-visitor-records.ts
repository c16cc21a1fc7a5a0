import type { Form, FormField, Heatmap, PageAnalytics, PageStats, ScrollDepth, Submission } from "../visitors-api.ts";
import { countOf, dateOf, fieldOf, idOf, isRecord, textOf, type JsonRecord } from "./fields.ts";
import { findRecord, unreadable, type RecordContext } from "./unwrap.ts";

export function parseForm(json: unknown, context: RecordContext): Form {
  const found = findRecord(json, { record: "form", fits: readForm });
  if (found === undefined) throw unreadable("form with an id", { ...context, json });
  return found;
}

function readForm(record: JsonRecord): Form | undefined {
  const id = idOf(record, "id", "formId");
  if (id === undefined) return undefined;
  return {
    id,
    name: textOf(record, "name", "title"),
    pageSlug: textOf(record, "pageSlug", "slug", "page"),
    fields: recordsOf(record, "fields", "inputs").flatMap(readField),
    submissionCount: countOf(record, "submissionCount", "submissionsCount", "count"),
    createdAt: dateOf(record, "createdAt", "created"),
    lastSubmissionAt: dateOf(record, "lastSubmissionAt"),
  };
}

function readField(record: JsonRecord): readonly FormField[] {
  const name = textOf(record, "name", "key", "id");
  const { required } = record;
  if (name === undefined) return [];
  return [{ name, type: textOf(record, "type"), ...(typeof required === "boolean" && { required }) }];
}

export function parseSubmission(json: unknown, context: RecordContext): Submission {
  const found = findRecord(json, { record: "submission", fits: readSubmission });
  if (found === undefined) throw unreadable("submission with an id", { ...context, json });
  return found;
}

function readSubmission(record: JsonRecord): Submission | undefined {
  const id = idOf(record, "submissionId", "id");
  if (id === undefined) return undefined;
  const { lead, spam } = record;
  return {
    id,
    formId: idOf(record, "formId"),
    pageSlug: textOf(record, "pageSlug", "page"),
    fields: readValues(fieldOf(record, "fields", "data", "values", "answers")),
    email: textOf(record, "email"),
    ...(typeof lead === "boolean" && { lead }),
    ...(typeof spam === "boolean" && { spam }),
    createdAt: dateOf(record, "createdAt", "submittedAt", "created"),
  };
}

// A record of values, or a list of {name, value}.
function readValues(value: unknown): Submission["fields"] {
  const entries = Array.isArray(value)
    ? value.filter(isRecord).map((field) => [textOf(field, "name", "key") ?? "", field.value] as const)
    : Object.entries(isRecord(value) ? value : {});
  return new Map(entries.flatMap(([name, given]) => (given === null ? [] : [[name, textsOf(given)] as const])));
}

function textsOf(value: unknown): string | readonly string[] {
  if (Array.isArray(value)) return value.map(String);
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

export function parsePageStats(json: unknown, context: RecordContext): PageStats {
  const found = findRecord(json, { record: "page", fits: readStats });
  if (found === undefined) throw unreadable("page with a slug and its views", { ...context, json });
  return found;
}

function readStats(record: JsonRecord): PageStats | undefined {
  const slug = textOf(record, "slug", "pageSlug", "path");
  if (slug === undefined) return undefined;
  return {
    slug,
    id: idOf(record, "id", "pageId"),
    title: textOf(record, "title", "name"),
    views: countOf(record, "views", "pageViews", "pageviews") ?? 0,
    visitors: countOf(record, "visitors", "uniqueVisitors"),
    clicks: countOf(record, "clicks"),
    submissions: countOf(record, "submissions", "formSubmissions", "conversions"),
    avgScroll: numberOf(record, "avgScroll", "averageScroll", "scrollDepth"),
    avgSeconds: numberOf(record, "avgSeconds", "averageSeconds", "avgTimeOnPage"),
  };
}

export function parsePageAnalytics(json: unknown, context: RecordContext & { readonly asked: string }): PageAnalytics {
  const fits = (record: JsonRecord) => {
    const totals = fieldOf(record, "totals", "summary", "metrics");
    const page = fieldOf(record, "page");
    const named = { slug: context.asked, ...(isRecord(page) && page), ...(isRecord(totals) ? totals : record) };
    return isRecord(totals) || countOf(record, "views", "pageViews") !== undefined
      ? { record, totals: readStats(named) }
      : undefined;
  };
  const found = findRecord(json, { record: "analytics", fits });
  if (found?.totals === undefined) throw unreadable("numbers of a page", { ...context, json });
  const { record, totals } = found;
  const devices = fieldOf(record, "devices");
  return {
    totals,
    series: recordsOf(record, "series", "timeline", "daily").flatMap((entry) => {
      const at = dateOf(entry, "at", "date", "day");
      return at === undefined
        ? []
        : [{ at, views: countOf(entry, "views") ?? 0, visitors: countOf(entry, "visitors") ?? 0 }];
    }),
    referrers: recordsOf(record, "referrers", "sources").flatMap((entry) => {
      const host = textOf(entry, "host", "referrer", "source", "name");
      return host === undefined ? [] : [{ host, views: countOf(entry, "views", "count") ?? 0 }];
    }),
    devices: isRecord(devices)
      ? Object.fromEntries(Object.keys(devices).map((name) => [name, countOf(devices, name) ?? 0]))
      : {},
  };
}

export function parseHeatmap(json: unknown, context: RecordContext): Heatmap {
  const fits = (record: JsonRecord) => (Array.isArray(fieldOf(record, "points", "clicks")) ? record : undefined);
  const record = findRecord(json, { record: "heatmap", fits });
  if (record === undefined) throw unreadable("heat map with points", { ...context, json });
  return {
    views: countOf(record, "views") ?? 0,
    points: recordsOf(record, "points", "clicks").flatMap((point) => {
      const [x, y] = [numberOf(point, "x"), numberOf(point, "y")];
      return x === undefined || y === undefined ? [] : [{ x, y, count: countOf(point, "count", "value") ?? 1 }];
    }),
    elements: recordsOf(record, "elements").flatMap((element) => {
      const selector = textOf(element, "selector");
      return selector === undefined ? [] : [{ selector, count: countOf(element, "count") ?? 0 }];
    }),
    height: countOf(record, "height"),
  };
}

export function parseScrollDepth(json: unknown, context: RecordContext): ScrollDepth {
  const fits = (record: JsonRecord) => (Array.isArray(fieldOf(record, "buckets", "depths")) ? record : undefined);
  const record = findRecord(json, { record: "scrollDepth", fits });
  if (record === undefined) throw unreadable("scroll depths", { ...context, json });
  return {
    views: countOf(record, "views") ?? 0,
    average: numberOf(record, "average", "avg"),
    median: numberOf(record, "median"),
    buckets: recordsOf(record, "buckets", "depths").map((bucket) => ({
      depth: numberOf(bucket, "depth", "percent") ?? 0,
      reached: countOf(bucket, "reached", "count") ?? 0,
      share: numberOf(bucket, "share") ?? 0,
    })),
  };
}

function recordsOf(record: JsonRecord, ...names: readonly string[]): readonly JsonRecord[] {
  const value = fieldOf(record, ...names);
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

function numberOf(record: JsonRecord, ...names: readonly string[]): number | undefined {
  const value = fieldOf(record, ...names);
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

import type { JsonObject } from "./tools.ts";

/** Maximum number of heatmap cells in a response. */
const MAX_POINTS = 1_000;

/** Cuts a heatmap to the cells with the most clicks, in descending order. */
export function cutHeatmap(heatmap: JsonObject): JsonObject {
  const { points } = heatmap;
  if (!Array.isArray(points)) return heatmap;
  const clicks = (point: unknown) => Number(Object(point).count);
  return { ...heatmap, points: points.toSorted((left, right) => clicks(right) - clicks(left)).slice(0, MAX_POINTS) };
}

/** Returns a record with the part of its HTML at an offset, and the offset of the next part. */
export function cutHtml(record: JsonObject, offset: number): JsonObject {
  const { html } = record;
  if (typeof html !== "string") return record;
  const end = endOfPart(html, offset);
  return { ...record, html: html.slice(offset, end), nextHtmlOffset: end < html.length ? end : null };
}

const MAX_PLACES = 20;

/** Finds a text in the HTML of a record and returns each place with its context. */
export function findInHtml(record: JsonObject, { find, around }: { find: string; around: number }): JsonObject {
  const html = String(record["html"]);
  const offsets: number[] = [];
  for (let at = html.indexOf(find); at !== -1; at = html.indexOf(find, at + find.length)) offsets.push(at);
  const places = offsets.slice(0, MAX_PLACES).map((offset) => {
    const text = html.slice(Math.max(0, offset - around), offset + find.length + around);
    return { offset, text: text.toWellFormed() };
  });
  const { id, slug, title, status, version, bytes } = record;
  return { id, slug, title, status, version, bytes, count: offsets.length, places };
}

/** Maximum characters of a page's HTML in a response. */
const HTML_PART = 50_000;

// A part must not end between the halves of a surrogate pair.
function endOfPart(html: string, offset: number): number {
  const end = Math.min(html.length, offset + HTML_PART);
  const last = html.charCodeAt(end - 1);
  return end < html.length && last >= 0xd800 && last <= 0xdbff ? end - 1 : end;
}

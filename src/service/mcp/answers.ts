import type { JsonObject } from "./tools.ts";

/** How many cells of a heat map one answer holds. */
const MAX_POINTS = 1_000;

/** A heat map with the cells that were clicked most, most clicks first. */
export function cutHeatmap(heatmap: JsonObject): JsonObject {
  const { points } = heatmap;
  if (!Array.isArray(points)) return heatmap;
  const clicks = (point: unknown) => Number(Object(point).count);
  return { ...heatmap, points: points.toSorted((left, right) => clicks(right) - clicks(left)).slice(0, MAX_POINTS) };
}

/** A record with the part of its HTML that begins at an offset, and where the next part begins. */
export function cutHtml(record: JsonObject, offset: number): JsonObject {
  const { html } = record;
  if (typeof html !== "string") return record;
  const end = endOfPart(html, offset);
  return { ...record, html: html.slice(offset, end), nextHtmlOffset: end < html.length ? end : null };
}

const MAX_PLACES = 20;

/** Where a text is in the HTML of a record, each place with what stands around it. */
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

/** How many characters of a page's HTML one answer holds. */
const HTML_PART = 50_000;

// A part must not end between the two halves of a character beyond the basic plane.
function endOfPart(html: string, offset: number): number {
  const end = Math.min(html.length, offset + HTML_PART);
  const last = html.charCodeAt(end - 1);
  return end < html.length && last >= 0xd800 && last <= 0xdbff ? end - 1 : end;
}

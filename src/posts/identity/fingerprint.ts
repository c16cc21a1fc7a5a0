import { sha256 } from "../../base/hash.ts";
import type { Post } from "../../client/api.ts";
import type { PostCreateBody } from "../../contract/operations/blogs.ts";
import { fillPlaceholders } from "../../html/fill-placeholders.ts";
import { TEXT_FIELDS, textFieldsOf, type SitePost } from "../post.ts";
import { markedSource, withPostMarker, type PostMarker } from "./marker.ts";
import type { PostEntry } from "../memory/ledger.ts";

/** Builds the request body for a post. `addressOf` returns the address of an image by its hash. */
export function payloadOf(
  post: SitePost,
  { uid, project, addressOf }: Pick<PostMarker, "uid" | "project"> & { readonly addressOf: (hash: string) => string },
): PostCreateBody & { readonly html: string } {
  const { slug, title, status, cover } = post;
  // The order affects the hash.
  const { tags, publishedAt, ...texts } = textFieldsOf(post);
  const html = fillPlaceholders(post.html, addressOf);
  return {
    slug,
    title,
    status,
    ...texts,
    tags: [...tags],
    html: withPostMarker(html, { uid, project, source: markedSource(post.sourceHash) }),
    publishedAt: publishedAt?.toISOString(),
    coverImage: cover?.kind === "asset" ? addressOf(cover.hash) : cover?.address,
  };
}

/** Hash of the request body, with placeholders for images: it changes when the rendering of a post changes. */
export function sentHashOf(post: SitePost): string {
  return sha256(JSON.stringify(payloadOf(post, { uid: "", project: undefined, addressOf: (hash) => hash }))).slice(
    0,
    16,
  );
}

const TAG = /<!--[\s\S]*?-->|<[^>]*>/g;
const ADDRESS = /\s(?:href|src)\s*=\s*["']?([^"'\s>?#]*)/gi;

/**
 * Hash of a listed post's title, words, and addresses, which change if somebody edits it; `undefined` if the list shows
 * no text, or a hash.
 */
export function shownHashOf({ contentHash, title, html, tags, excerpt }: Post): string | undefined {
  if (contentHash !== undefined || html === undefined) return undefined;
  const words = html
    .replaceAll(TAG, " ")
    .split(/\s+/)
    .filter((word) => word !== "");
  const addresses = Array.from(html.matchAll(ADDRESS), ([, address]) => address);
  const text = sha256(JSON.stringify([title, words, addresses])).slice(0, 16);
  return text + sha256(JSON.stringify([tags?.toSorted(), excerpt])).slice(0, 8);
}

/** Whether a post is shown as remembered. Earlier versions remembered only the title and text. */
export function isShownAs(remembered: string, now: string): boolean {
  return now.startsWith(remembered);
}

/** What is remembered of the version that was sent. */
export type SentVersion = Required<Pick<PostEntry, "source" | "sent" | "lines" | "images">> &
  Pick<PostEntry, "pointsTo" | "unlinked" | "withdrawn">;

export function sentVersionOf(post: SitePost): SentVersion {
  const unlinked = post.unlinked === undefined ? undefined : [...post.unlinked];
  return {
    source: post.sourceHash,
    sent: sentHashOf(post),
    lines: renderLines(post),
    images: imagesOf(post),
    unlinked,
    pointsTo: post.pointsTo,
    withdrawn: post.status === "draft" ? true : undefined,
  };
}

/** How much of a post was edited since it was sent. */
export interface PostEdit {
  /** Changed, added, or removed lines of text and front matter. */
  readonly lines: number;
  readonly images: number;
}

/** Counts the edits; `undefined` if the sent version isn't remembered. */
export function measureEdit(post: SitePost, entry: PostEntry | undefined): PostEdit | undefined {
  if (entry?.lines === undefined) return undefined;
  const lines = countChanges(splitLines(entry.lines), splitLines(renderLines(post)));
  return { lines, images: countChanges(entry.images ?? [], imagesOf(post)) };
}

/** Share of a post's lines that were in the version sent, from 0 to 1; 0 if it isn't remembered. */
export function shareOfLines(post: SitePost, entry: PostEntry | undefined): number {
  if (entry?.lines === undefined) return 0;
  const lines = textLines(post).map(hashLine);
  return lines.length === 0 ? 0 : 1 - countMissing(lines, splitLines(entry.lines)) / lines.length;
}

/** `3 lines, 1 image`; empty if nothing can be counted. */
export function renderEdit(edit: PostEdit | undefined): string {
  if (edit === undefined) return "";
  const parts = [countOf(edit.lines, "line"), countOf(edit.images, "image")];
  return parts.filter((part) => part !== "").join(", ");
}

function countOf(count: number, word: string): string {
  return count === 0 ? "" : `${count} ${word}${count === 1 ? "" : "s"}`;
}

const HASH_DIGITS = 4;

// Four digits per line: enough to count with, and small enough for a committed file.
function renderLines(post: SitePost): string {
  return [...fieldLines(post).values(), ...textLines(post)].map(hashLine).join("");
}

/** A line for each field, by name. All posts have the same ones, in the order of `FIELDS`, and they come first. */
function fieldLines(post: SitePost): ReadonlyMap<string, string> {
  const fields = { title: post.title, ...textFieldsOf(post), alt: post.cover?.alt };
  return new Map(Object.entries(fields).map(([name, value]) => [name, fieldLine(name, value)]));
}

const FIELDS: readonly string[] = ["title", ...TEXT_FIELDS, "alt"];

function fieldLine(name: string, value: unknown): string {
  return `${name}: ${JSON.stringify(value)}`;
}

/** Names of the fields, among them `alt` for the cover, whose values aren't those that were sent. */
export function findChangedFields(post: SitePost, { lines }: Pick<PostEntry, "lines">): readonly string[] {
  if (lines === undefined) return [];
  const sent = splitLines(lines);
  const own = fieldLines(post);
  return FIELDS.filter((name, index) => sent[index] !== hashLine(own.get(name) ?? ""));
}

/** Whether a post was sent without a field: what the service shows there is its own. */
export function isSentWithout(field: "excerpt" | "author" | "tags", { lines }: Pick<PostEntry, "lines">): boolean {
  const line = fieldLine(field, field === "tags" ? [] : undefined);
  return lines !== undefined && splitLines(lines)[FIELDS.indexOf(field)] === hashLine(line);
}

function textLines({ pointsTo, text = "" }: SitePost): readonly string[] {
  if (pointsTo !== undefined) return [];
  return text.split("\n").flatMap((line) => (line.trim() === "" ? [] : [line.trim()]));
}

function hashLine(line: string): string {
  return sha256(line).slice(0, HASH_DIGITS);
}

function splitLines(lines: string): readonly string[] {
  return lines.match(/.{4}/g) ?? [];
}

function imagesOf({ assets }: SitePost): string[] {
  return assets.map(({ hash }) => hash.slice(0, 8)).toSorted();
}

/** Counts a changed line (one removed and one added) once. */
function countChanges(before: readonly string[], after: readonly string[]): number {
  return Math.max(countMissing(before, after), countMissing(after, before));
}

function countMissing(from: readonly string[], others: readonly string[]): number {
  const left = new Map<string, number>();
  for (const other of others) left.set(other, (left.get(other) ?? 0) + 1);
  return from.filter((each) => {
    const count = left.get(each) ?? 0;
    left.set(each, count - 1);
    return count <= 0;
  }).length;
}

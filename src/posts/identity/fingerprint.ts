import { sha256 } from "../../base/hash.ts";
import type { PostCreateBody } from "../../contract/operations/blogs.ts";
import { fillPlaceholders } from "../../html/fill-placeholders.ts";
import { textFieldsOf, type SitePost } from "../post.ts";
import { markedSource, withPostMarker, type PostMarker } from "./marker.ts";
import type { PostEntry } from "../memory/ledger.ts";

/** What is sent for a post. `addressOf` gives the address of an image by its hash. */
export function payloadOf(
  post: SitePost,
  { uid, project, addressOf }: Pick<PostMarker, "uid" | "project"> & { readonly addressOf: (hash: string) => string },
): PostCreateBody & { readonly html: string } {
  const { slug, title, status, cover } = post;
  // The order is part of what is hashed.
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

/** Hash of what would be sent, with placeholders for images: it changes with the way in which a post is rendered. */
export function sentHashOf(post: SitePost): string {
  return sha256(JSON.stringify(payloadOf(post, { uid: "", project: undefined, addressOf: (hash) => hash }))).slice(
    0,
    16,
  );
}

/** What is remembered of the version of a post that was sent. */
export type SentVersion = Required<Pick<PostEntry, "source" | "sent" | "lines" | "images">>;

export function sentVersionOf(post: SitePost): SentVersion {
  return { source: post.sourceHash, sent: sentHashOf(post), lines: renderLines(post), images: imagesOf(post) };
}

/** How much of a post was edited since it was sent. */
export interface PostEdit {
  /** Lines of text and front matter that were changed, added or removed. */
  readonly lines: number;
  readonly images: number;
}

/** Counts what was edited; `undefined` where the version that was sent is not remembered. */
export function measureEdit(post: SitePost, entry: PostEntry | undefined): PostEdit | undefined {
  if (entry?.lines === undefined) return undefined;
  const lines = countChanges(splitLines(entry.lines), splitLines(renderLines(post)));
  return { lines, images: countChanges(entry.images ?? [], imagesOf(post)) };
}

/**
 * How many of the lines of a post's text stood in the version that was sent, from 0 to 1; 0 where that is not remembered.
 */
export function shareOfLines(post: SitePost, entry: PostEntry | undefined): number {
  if (entry?.lines === undefined) return 0;
  const lines = textLines(post).map(hashLine);
  return lines.length === 0 ? 0 : 1 - countMissing(lines, splitLines(entry.lines)) / lines.length;
}

/** `3 lines, 1 image`; empty when nothing can be counted. */
export function renderEdit(edit: PostEdit | undefined): string {
  if (edit === undefined) return "";
  const parts = [countOf(edit.lines, "line"), countOf(edit.images, "image")];
  return parts.filter((part) => part !== "").join(", ");
}

function countOf(count: number, word: string): string {
  return count === 0 ? "" : `${count} ${word}${count === 1 ? "" : "s"}`;
}

const HASH_DIGITS = 4;

// Four digits a line: enough to count with, and little enough for a file that is committed.
function renderLines(post: SitePost): string {
  const fields = { title: post.title, ...textFieldsOf(post), alt: post.cover?.alt };
  const named = Object.entries(fields).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  return [...named, ...textLines(post)].map(hashLine).join("");
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

/** A line that was changed is one that went and one that came: it counts once. */
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

import { unframe } from "../../html/framed-page.ts";
import { HIDES_PEOPLE } from "../../html/lost-values.ts";
import { findMarker } from "../../html/marker.ts";
import { findPostMarkers, markedSource } from "../../posts/identity/marker.ts";
import { findLostTitle, showsTitle } from "../../posts/identity/lost-title.ts";
import { hasTextInScripts, showsMarkup, showsText, showsWholeText } from "../../posts/identity/resemblance.ts";
import { contentTypeOf } from "../../site/content-type.ts";
import { ESCAPE_TEMPLATE } from "../find-loss.ts";
import type { LivePost } from "./addresses.ts";
import type { Shown } from "./fetch-public.ts";
import type { FileUse, ReadPage } from "./read-page.ts";
import { BORDER } from "./word-runs.ts";

/** The problem of an address, and how to fix it. */
export interface Finding {
  readonly found: string;
  readonly hint: string;
}

type PublicResponse = Extract<Shown, { kind: "answer" }>;

const AGAIN = "Run `imprint publish --verify` again; hosts with a cache may need a few minutes.";
export const PAGES_URL =
  "Check that `pagesUrl` is the address under which the service shows pages, then publish again.";

/** Checks that an address shows a page that readers can open. */
export function checkResponse(shown: Shown): Finding | undefined {
  if (shown.kind === "silent") return { found: shown.reason, hint: "Check that the address can be reached from here." };
  if (shown.kind === "away") return { found: `redirects to ${shown.address}, on another host`, hint: PAGES_URL };
  if (shown.obstacle !== undefined) return { found: shown.obstacle, hint: LET_THROUGH };
  if (shown.status !== 200) return { found: String(shown.status), hint: PAGES_URL };
  if (shown.isDownload) return { found: "a download instead of a page", hint: PAGES_URL };
  return isHtml(shown) ? undefined : { found: insteadOf(shown, "text/html"), hint: PAGES_URL };
}

/** Checks that an address no longer shows a page that was deleted. A page of the host's own, such as "not found", may. */
export function checkDeleted(
  shown: Shown,
  { slug, project }: { readonly slug: string; readonly project: string },
): Finding | undefined {
  if (shown.kind !== "answer" || shown.status !== 200) return undefined;
  const marker = findMarker(unframe(shown.text ?? ""));
  const isOurs = marker?.project === project && marker.slug === slug;
  return isOurs ? { found: "deleted, but readers still see it", hint: STILL_SEEN } : undefined;
}

const STILL_SEEN =
  "Run `imprint publish --verify` again in a few minutes. If this persists, clear the host's cache, or delete the page in the service's dashboard.";

const LET_THROUGH =
  "Readers may see it, but imprint can't verify that from here. Allow requests from this machine, for example by their user agent, astro-imprint (verify).";

/** Checks that the page of a post shows its title and text, unless scripts do. */
export function checkPost(post: LivePost, { text = "" }: PublicResponse): Finding | undefined {
  const { html } = post.sent;
  if (isOlder(post, text)) return { found: "an older text of the post is shown", hint: OLDER_POST };
  if (showsMarkup(html, text) || showsText(html, text)) return checkPostTitle(post, text);
  return hasTextInScripts(html, text) ? undefined : { found: "none of the post's text is shown", hint: OTHER_TEXT };
}

function checkPostTitle({ sent, listedTitle, state }: LivePost, page: string): Finding | undefined {
  // Its author may have accepted another title.
  const lost =
    state === "acknowledged" ? undefined : findLostTitle(sent, { page, text: sent.html, listed: listedTitle });
  if (lost === undefined) return undefined;
  const hint = `Correct it in the service's dashboard. Or copy it into ${sent.file}, and run \`imprint posts ack ${sent.slug}\`.`;
  return { found: describeTitle(lost.instead), hint };
}

function describeTitle(instead: string): string {
  return instead === "" ? "its title isn't shown" : `its title is shown as "${instead}"`;
}

/** A page may also show other posts, and an edit made on the service leaves the marker as it was. */
function isOlder({ sent, uids, state }: LivePost, text: string): boolean {
  const own = findPostMarkers(text).filter(({ uid }) => uids.has(uid));
  const hasVersion = own.length === 0 || own.some(({ source }) => source === markedSource(sent.sourceHash));
  return !hasVersion && state === "confirmed" && !showsWholeText(sent.html, text);
}

const OLDER_POST =
  "Run `imprint publish --verify` again in a few minutes. If this persists, clear the host's cache, or open the post in the service's dashboard and publish its new text there.";

// A blog may remove markers, so the address may also show an older text.
const OTHER_TEXT =
  "Open the address in a browser. If it shows an older text, run `imprint publish --verify` again in a few minutes, or clear the host's cache. If the post is waiting for approval on the service, publish it there.";

export const HIDDEN_POST =
  "Open the address in a browser. If the post is waiting for approval on the service, publish it there.";

interface SentPage {
  /** The page as shown. */
  readonly page: ReadPage;
  readonly hash: string;
  /** Whether the host is known to give pages titles of its own. */
  readonly hasOwnTitles: boolean;
  readonly readSent: () => Promise<ReadPage>;
}

/** Checks that a page is shown as sent. */
export async function classifyPage(
  { text = "" }: PublicResponse,
  { page, hash, hasOwnTitles, readSent }: SentPage,
): Promise<Finding | undefined> {
  const marker = findMarker(text);
  if (marker !== undefined && marker.hash !== hash) {
    return { found: "an older version of the page is shown", hint: AGAIN };
  }
  if (marker?.intact === true) return undefined;
  // Hosts add their own scripts and text, even a layout with its title, and remove comments and attributes, so what is
  // shown must contain what was sent.
  const sent = await readSent();
  const mayHide = HIDES_PEOPLE.test(text);
  const visible = (all: readonly string[]) => (mayHide ? all.filter((word) => !word.includes("@")) : all);
  const words = visible(sent.words);
  const isSame = marker !== undefined || sent.title === page.title || words.length >= ENOUGH_WORDS;
  if (isSame && (hasAll(page.words, words) || hasRuns(page.runs, visible(sent.runs)))) {
    const { title = "" } = page;
    return hasOwnTitles || showsTitle(title, sent.title)
      ? undefined
      : { found: describeTitle(title), hint: OTHER_TITLE };
  }
  if (marker === undefined) return { found: "another page or an older version of it is shown", hint: AGAIN };
  const template = sent.words.find((word) => /\{[{%]/.test(word) && !page.words.includes(word));
  if (template !== undefined) {
    return { found: `"${template}" and what follows isn't shown as it was published`, hint: ESCAPE_TEMPLATE };
  }
  const hint =
    "The page was edited on the service, or the service changes its text. `imprint diff` shows what differs; publish again to replace an edit.";
  return { found: "the text of the page differs from what was published", hint };
}

const OTHER_TITLE =
  "Correct it in the service's dashboard. Or give the page of your site that title, and publish again.";

const EMOJI = /(\p{Extended_Pictographic}(?:\p{Emoji_Modifier})?(?:\u200D\p{Extended_Pictographic})*)/u;

// So many words in their order don't occur in another page by chance.
const ENOUGH_WORDS = 8;

function hasAll(shown: readonly string[], sent: readonly string[]): boolean {
  const wanted = sent.flatMap(typesetParts);
  let next = 0;
  for (const part of shown.flatMap(typesetParts)) if (part === wanted[next]) next += 1;
  return next === wanted.length;
}

/** Whether a page has all words in their order, each as one, or as a piece beside which a host put others. */
function hasRuns(shown: readonly string[], sent: readonly string[]): boolean {
  const wanted = sent.flatMap((run) => typesetParts(run.replaceAll(BORDER, "")));
  let next = 0;
  for (const run of shown) {
    const parts = typesetParts(run.replaceAll(BORDER, ""));
    if (parts.every((part, place) => part === wanted[next + place])) next += parts.length;
    else for (const part of run.split(BORDER).flatMap(typesetParts)) if (part === wanted[next]) next += 1;
  }
  return next === wanted.length;
}

// Hosts typeset quotes, dashes and dots, and show emoji as pictures.
function typesetParts(word: string): readonly string[] {
  return word
    .replaceAll(/[“”„«»″]/g, '"')
    .replaceAll(/[‘’‚′]/g, "'")
    .replaceAll("…", "...")
    .replaceAll(/[–—]|-{2,3}/g, "-")
    .replaceAll("\uFE0F", "")
    .split(EMOJI)
    .filter((part) => part !== "");
}

/** Checks that a file exists, with a type that browsers accept. */
export function checkFileResponse(
  shown: Shown,
  { address, uses }: { readonly address: string; readonly uses: ReadonlySet<FileUse> },
): Finding | undefined {
  // Many libraries redirect to separate storage, which isn't visited.
  if (shown.kind === "away") return undefined;
  if (shown.kind === "silent") return { found: shown.reason, hint: "Check that the address can be reached from here." };
  if (shown.obstacle !== undefined) return { found: shown.obstacle, hint: LET_THROUGH };
  if (shown.status !== 200) return { found: String(shown.status), hint: MISSING_FILE };
  const wrong = [...uses].find((use) => !isFit(shown.contentType, { use, named: namedType(address) }));
  if (wrong === undefined) return undefined;
  return { found: insteadOf(shown, expectedType(wrong, namedType(address))), hint: WRONG_TYPE };
}

/** Checks that readers get all bytes of a file. */
export function checkLength(shown: Shown, sent: number): Finding | undefined {
  if (shown.kind !== "answer" || shown.status !== 200 || shown.obstacle !== undefined || isHtml(shown))
    return undefined;
  const { length = sent } = shown;
  return length === sent ? undefined : { found: `${length} bytes instead of ${sent}`, hint: OTHER_BYTES };
}

const OTHER_BYTES =
  "Delete the file in the service's library, and publish again. If it serves other bytes than it was sent even then, host the file elsewhere and link to it.";

const MISSING_FILE =
  "Run `imprint publish` again to upload it. If the built site doesn't have it, fix the page that uses it.";
const WRONG_TYPE = "The host has to serve the file with its type; run `imprint doctor` to see what the library serves.";

const FAMILIES: Readonly<Record<Exclude<FileUse, "any" | "frame">, RegExp>> = {
  image: /^image\//,
  media: /^(?:video|audio)\/|^application\/(?:ogg|vnd\.apple\.mpegurl|x-mpegurl|dash\+xml|octet-stream)$/,
  style: /^text\/css$/,
  script: /^(?:text|application)\/(?:javascript|ecmascript|x-javascript)$|^application\/(?:json|wasm)$/,
};
const TYPE_NAMES = {
  image: "an image",
  media: "video or audio",
  style: "text/css",
  script: "text/javascript",
} as const;
const UNNAMED = "application/octet-stream";

interface Expectation {
  readonly use: FileUse;
  /** The type of the address's file extension. */
  readonly named: string;
}

function isFit(contentType: string, { use, named }: Expectation): boolean {
  if (use === "frame") return true;
  if (use === "any") return named === UNNAMED || isHtmlType(named) || !isHtmlType(contentType);
  if (FAMILIES[use].test(contentType)) return true;
  // Browsers detect the type of an image without one, except for SVG.
  const isUntyped = contentType === "" || contentType === UNNAMED;
  return use === "image" && isUntyped && named !== "image/svg+xml";
}

function expectedType(use: FileUse, named: string): string {
  if (use === "any" || use === "frame") return named;
  return FAMILIES[use].test(named) && named !== UNNAMED ? named : TYPE_NAMES[use];
}

function namedType(address: string): string {
  return contentTypeOf(new URL(address).pathname);
}

function insteadOf({ contentType }: PublicResponse, expected: string): string {
  return `${contentType === "" ? "no content type" : contentType} instead of ${expected}`;
}

/** Checks that a link has a target. */
export function checkLink(shown: Shown, { isPost }: { readonly isPost: boolean }): Finding | undefined {
  if (shown.kind === "away") return undefined;
  if (shown.kind === "silent") return { found: shown.reason, hint: "Check that the address can be reached from here." };
  const { status } = shown;
  if (shown.obstacle !== undefined) return { found: shown.obstacle, hint: LET_THROUGH };
  // An address that only accepts forms rejects GET requests.
  if (status < 400 || (isPost && status < 500 && status !== 404 && status !== 410)) return undefined;
  return { found: String(status), hint: "Correct the link, or publish the page that it leads to." };
}

/** Checks that the target of a link has its anchor. */
export function checkAnchor(anchors: ReadonlySet<string> | undefined, anchor: string): Finding | undefined {
  if (anchors === undefined || anchors.has(anchor)) return undefined;
  const hint = `Correct the link, or give an element of the page that it leads to id="${anchor}".`;
  return { found: `the page has no #${anchor}`, hint };
}

export function isHtml({ contentType }: PublicResponse): boolean {
  return isHtmlType(contentType);
}

function isHtmlType(contentType: string): boolean {
  return contentType === "text/html";
}

import type { Visit } from "./api.ts";
import { isSignInPage, isSignInPath } from "./transport/sign-in-page.ts";

// Pages that ask programs, not readers, to prove themselves.
const ROBOT_CHECK = /\bcf-chl|challenge-platform|<title>\s*(?:Just a moment|Attention Required|Checking your browser)/i;

/** What keeps programs from seeing a page that readers see, if anything. */
export function describeObstacle(visit: Visit | undefined): string | undefined {
  if (visit === undefined) return undefined;
  const obstacle = nameObstacle(visit.status, () => new TextDecoder().decode(visit.bytes));
  return obstacle === undefined ? undefined : `returns ${obstacle}`;
}

/** Names a response that only programs get: `403 with a bot check`. */
export function nameObstacle(status: number, readText: () => string): string | undefined {
  if (status === 429) return "429 (too many requests)";
  return (status === 403 || status === 503) && ROBOT_CHECK.test(readText()) ? `${status} with a bot check` : undefined;
}

/** Whether browsers show what they get as a page, instead of saving it, or showing its source or an error. */
export function isShownAsPage({ contentType = "text/html", isDownload }: Visit): boolean {
  return /^text\/html\b/i.test(contentType) && !isDownload;
}

const UTF_8 = /^utf-?8$/i;

/** Decodes the HTML of a visit in the host's declared encoding, as browsers do. */
export function decodeVisit({ bytes, ...visit }: Pick<Visit, "bytes" | "contentType">): string {
  try {
    return new TextDecoder(charsetOf(visit)).decode(bytes);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return new TextDecoder().decode(bytes);
  }
}

/** The encoding that a host declares for UTF-8 bytes; `undefined` if it declares none, or the right one. */
export function wrongCharset(visit: Pick<Visit, "bytes" | "contentType">): string | undefined {
  const charset = charsetOf(visit);
  if (UTF_8.test(charset)) return undefined;
  return decodeVisit(visit) === new TextDecoder().decode(visit.bytes) ? undefined : charset;
}

function charsetOf({ contentType = "" }: Pick<Visit, "contentType">): string {
  return /charset="?([\w-]+)/i.exec(contentType)?.[1] ?? "utf-8";
}

/** Whether two addresses differ in no more than a trailing slash and the query. */
export function isSamePlace(one: string, other: string): boolean {
  const [first, second] = [one, other].map((address) => {
    const { origin, pathname } = new URL(address);
    return `${origin}${pathname.replace(/\/$/, "")}`;
  });
  return first === second;
}

/**
 * Whether readers have to sign in to see a page: by the status, or by a form to sign in in its place.
 *
 * @param sent HTML of the page, which may be such a form itself
 */
export function isForMembers({ status, url, bytes }: Visit, page: { readonly address: string; readonly sent: string }) {
  if (status !== 200) return status === 401 || status === 403;
  if (isSignInPath(url) && !isSamePlace(url, page.address)) return true;
  return isSignInPage(new TextDecoder().decode(bytes)) && !isSignInPage(page.sent);
}

import type { Visit } from "../../client/api.ts";
import { decodeVisit, describeObstacle, isForMembers, isShownAsPage } from "../../client/read-visit.ts";
import type { SitePost } from "../post.ts";
import { hasTextInScripts, showsMarkup, showsText } from "./resemblance.ts";

/** What readers get at the address of a post. */
export type PostPage =
  | { readonly kind: "shown"; readonly html: string }
  /** Readers don't see the post, and why. */
  | { readonly kind: "unseen"; readonly why: string }
  /** Only people who sign in see it. */
  | { readonly kind: "members"; readonly why: string }
  /** Only this machine may be kept from it, or scripts show the post. */
  | { readonly kind: "unknown" };

const UNKNOWN: PostPage = { kind: "unknown" };

/** Reads what an address shows of a post. */
export function readPostPage(post: Pick<SitePost, "html">, address: string, visit: Visit | undefined): PostPage {
  if (visit === undefined || describeObstacle(visit) !== undefined) return UNKNOWN;
  const { status, contentType = "text/html", isDownload } = visit;
  if (status === 404 || status === 410) return { kind: "unseen", why: `there is nothing at ${address}` };
  const isPage = status === 200 && isShownAsPage(visit);
  const html = isPage ? decodeVisit(visit) : "";
  if (isPage && (showsMarkup(post.html, html) || showsText(post.html, html))) return { kind: "shown", html };
  if (isForMembers(visit, { address, sent: post.html })) {
    return { kind: "members", why: `${address} ${status === 200 ? "shows a sign-in form" : `returns ${status}`}` };
  }
  if (status !== 200) return UNKNOWN;
  if (!isPage) {
    const type = isDownload ? "a download" : contentType;
    return { kind: "unseen", why: `${address} is served as ${type}, which browsers don't show as a page` };
  }
  return hasTextInScripts(post.html, html) ? UNKNOWN : { kind: "unseen", why: `${address} shows none of its text` };
}

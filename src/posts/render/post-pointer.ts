import { sha256 } from "../../base/hash.ts";
import { escapeAttribute, escapeText } from "../../html/attributes.ts";
import { parseHtml } from "../../html/parse.ts";
import { textOf, visitElements } from "../../html/tree.ts";
import { TEXT_FIELDS, type SitePost } from "../post.ts";

export interface PointerPage {
  /** Slug of the page with the text. */
  readonly slug: string;
  /** Address of the page in a link. */
  readonly href: string;
}

/**
 * Creates a short post that links to the page with the text. Its source includes only what the blog itself shows, so
 * that a change of the text changes only the page.
 */
export function pointToPage(post: SitePost, page: PointerPage): SitePost {
  const { unlinked: _links, waitsFor: _targets, ...rest } = post;
  const { title, status, excerpt, cover } = post;
  const image = cover?.kind === "asset" ? cover.hash : cover?.address;
  const fields = [title, status, ...TEXT_FIELDS.map((name) => post[name]), cover?.alt];
  const source = ["pointer", ...fields.map((field) => field ?? null), image ?? null, page.href];
  const teaser = excerpt ?? firstParagraphOf(post.html);
  const paragraph = teaser === undefined ? "" : `<p>${escapeText(teaser)}</p>\n`;
  return {
    ...rest,
    html: `${paragraph}<p><a href="${escapeAttribute(page.href)}">Read “${escapeText(title)}”</a></p>\n`,
    sourceHash: sha256(JSON.stringify(source)),
    assets: post.assets.filter(({ hash }) => hash === image),
    pointsTo: page.slug,
  };
}

function firstParagraphOf(html: string): string | undefined {
  const texts: string[] = [];
  visitElements(parseHtml(html), (element) => {
    if (element.tagName === "p") texts.push(textOf(element));
  });
  return texts.find((text) => text !== "");
}

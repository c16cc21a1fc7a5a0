import { escapeHtml } from "../http/html.ts";
import type { PostSummary } from "../store/posts.ts";
import type { BlogWords } from "./blog-words.ts";
import type { Cover } from "./covers.ts";

/** The line below a post's title: when it was published, who wrote it, and how long it takes to read. */
export function renderFacts({ publishedAt, author }: PostSummary, minutes: number, words: BlogWords): string {
  const { own, formatDate, formatMinutes } = words;
  // Where the language is not known, dates are in English.
  const language = words.foreign === "" ? "" : own;
  const facts = [
    publishedAt && `<time${language} datetime="${publishedAt.toISOString()}">${formatDate(publishedAt)}</time>`,
    author && `<span>${escapeHtml(author)}</span>`,
    `<span${language}>${formatMinutes(minutes)}</span>`,
  ];
  return `<p class="facts">${facts.filter(Boolean).join("")}</p>`;
}

/** Tags, each with a link to the posts that have it. `blogHref` leads to the list from where the tags are shown. */
export function renderTags(tags: readonly string[], blogHref: string): string {
  if (tags.length === 0) return "";
  const items = tags.map(
    (tag) =>
      `<li><a rel="tag" href="${escapeHtml(`${blogHref}?tag=${encodeURIComponent(tag)}`)}">${escapeHtml(tag)}</a></li>`,
  );
  return `<ul class="tags">${items.join("")}</ul>`;
}

/** An image element for a cover. */
export function renderCover({ src, size }: Cover, attributes: string): string {
  const dimensions = size === undefined ? "" : ` width="${size.width}" height="${size.height}"`;
  return `<img src="${escapeHtml(src)}"${dimensions} ${attributes}>`;
}

/** What search engines are told of a page. */
export function renderHead({
  description,
  canonical,
}: {
  readonly description: string | null;
  readonly canonical: string;
}): string {
  const meta = description === null ? "" : `<meta name="description" content="${escapeHtml(description)}">\n`;
  return `${meta}<link rel="canonical" href="${escapeHtml(canonical)}">\n`;
}

import { sha256 } from "../../base/hash.ts";
import { createDayFormat } from "../../base/language.ts";
import { escapeAttribute, escapeText } from "../../html/attributes.ts";
import { findBodyLanguage, makeBoxesFocusable } from "../../html/post-body.ts";
import { renderMarker } from "../../html/marker.ts";
import { parseHtml } from "../../html/parse.ts";
import { renderPlaceholder } from "../../html/placeholders.ts";
import { POST_BODY_STYLE } from "../../html/post-body-style.ts";
import type { RewrittenPage } from "../../site/model.ts";
import { canonicalOf, type SitePost } from "../post.ts";

/** Renders a post as a page of its own, for posts that no page of the site shows. */
export function renderPostPage(post: SitePost): RewrittenPage {
  const hash = sha256(renderDocument(post, ""));
  return {
    html: renderDocument(post, `\n${renderMarker(hash)}`),
    hash,
    title: post.title,
    description: post.excerpt,
    parts: [],
    hasRouteMap: false,
    assets: post.assets,
    warnings: [],
  };
}

function renderDocument(post: SitePost, marker: string): string {
  const { title, excerpt, cover, html } = post;
  const canonical = canonicalOf(post);
  const language = findBodyLanguage(parseHtml(html));
  const image = cover?.kind === "asset" ? renderPlaceholder(cover.hash) : cover?.address;
  const head = [
    `<title>${escapeText(title)}</title>`,
    ...metaOf("name", "description", excerpt),
    ...(canonical === undefined ? [] : [`<link rel="canonical" href="${escapeAttribute(canonical)}">`]),
    ...metaOf("property", "og:type", "article"),
    ...metaOf("property", "og:title", title),
    ...metaOf("property", "og:image", image),
    `<style>${STYLE}</style>`,
  ];
  const picture =
    image === undefined ? [] : [`<img src="${escapeAttribute(image)}" alt="${escapeAttribute(cover?.alt ?? "")}">`];
  const article = [`<h1>${escapeText(title)}</h1>`, ...bylineOf(post, language), ...picture];
  return `<!doctype html>
<html${language === undefined ? "" : ` lang="${language}"`}>
<head>
<meta charset="utf-8">${marker}
<meta name="viewport" content="width=device-width, initial-scale=1">
${head.join("\n")}
</head>
<body>
<main><article>
${article.join("\n")}
<section class="post-body">
${makeBoxesFocusable(html.trimEnd())}
</section>
</article></main>
</body>
</html>
`;
}

const PAGE = `
:root { color-scheme: light dark; --gutter: 1rem; --line: light-dark(#d9dde1, #3a4048); --soft: light-dark(#59636e, #a3adb8); --surface: light-dark(#f6f8fa, #161b22); --mono: ui-monospace, Menlo, Consolas, monospace }
body { margin: 0; font: 1.0625rem/1.6 system-ui, sans-serif; overflow-wrap: anywhere }
main { max-width: 42rem; margin: 0 auto; padding: 2rem var(--gutter) }
h1 { line-height: 1.2 }
.facts { color: var(--soft) }
img, video { max-width: 100%; height: auto }
pre { padding: 1rem; background: var(--surface); font: .875rem/1.6 var(--mono) }
`;
const STYLE = `${PAGE}${POST_BODY_STYLE}`;

function metaOf(key: "name" | "property", name: string, content: string | undefined): readonly string[] {
  return content === undefined ? [] : [`<meta ${key}="${name}" content="${escapeAttribute(content)}">`];
}

// If the language is unknown, the date is shown in ISO format.
function bylineOf({ publishedAt, author }: SitePost, language: string | undefined): readonly string[] {
  const day = publishedAt?.toISOString().slice(0, 10);
  const text =
    publishedAt === undefined || language === undefined ? day : createDayFormat(language).format(publishedAt);
  const time = day === undefined ? [] : [`<time datetime="${day}">${text}</time>`];
  const parts = [...time, ...(author === undefined ? [] : [escapeText(author)])];
  return parts.length === 0 ? [] : [`<p class="facts">${parts.join(" · ")}</p>`];
}

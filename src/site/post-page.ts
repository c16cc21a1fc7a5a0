import { sha256 } from "../base/hash.ts";
import { escapeAttribute, escapeText } from "../html/attributes.ts";
import { renderMarker } from "../html/marker.ts";
import { renderPlaceholder } from "../html/placeholders.ts";
import type { RewrittenPage, SitePost } from "./model.ts";

/** A post as a page of its own, for posts that no page of the site shows. */
export function renderPostPage(post: SitePost): RewrittenPage {
  const hash = sha256(renderDocument(post, ""));
  return {
    html: renderDocument(post, `\n${renderMarker(hash)}`),
    hash,
    title: post.title,
    description: post.excerpt,
    hasScripts: false,
    assets: post.assets,
    warnings: [],
  };
}

function renderDocument(post: SitePost, marker: string): string {
  const { title, excerpt, canonicalUrl, cover, html } = post;
  const image = cover?.kind === "asset" ? renderPlaceholder(cover.hash) : cover?.address;
  const head = [
    `<title>${escapeText(title)}</title>`,
    ...metaOf("name", "description", excerpt),
    ...(canonicalUrl === undefined ? [] : [`<link rel="canonical" href="${escapeAttribute(canonicalUrl)}">`]),
    ...metaOf("property", "og:type", "article"),
    ...metaOf("property", "og:title", title),
    ...metaOf("property", "og:image", image),
    `<style>${STYLE}</style>`,
  ];
  const picture =
    image === undefined ? [] : [`<img src="${escapeAttribute(image)}" alt="${escapeAttribute(cover?.alt ?? "")}">`];
  const article = [`<h1>${escapeText(title)}</h1>`, ...bylineOf(post), ...picture, html.trimEnd()];
  return `<!doctype html>
<html>
<head>
<meta charset="utf-8">${marker}
<meta name="viewport" content="width=device-width, initial-scale=1">
${head.join("\n")}
</head>
<body>
<main><article>
${article.join("\n")}
</article></main>
</body>
</html>
`;
}

const STYLE =
  ":root{color-scheme:light dark}body{margin:0;font:1.0625rem/1.6 system-ui,sans-serif}" +
  "main{max-width:42rem;margin:0 auto;padding:2rem 1rem}h1{line-height:1.2}img,video{max-width:100%;height:auto}" +
  "pre{overflow-x:auto;padding:1rem}table{display:block;overflow-x:auto}";

function metaOf(key: "name" | "property", name: string, content: string | undefined): readonly string[] {
  return content === undefined ? [] : [`<meta ${key}="${name}" content="${escapeAttribute(content)}">`];
}

function bylineOf({ publishedAt, author }: SitePost): readonly string[] {
  const day = publishedAt?.toISOString().slice(0, 10);
  const time = day === undefined ? [] : [`<time datetime="${day}">${day}</time>`];
  const parts = [...time, ...(author === undefined ? [] : [escapeText(author)])];
  return parts.length === 0 ? [] : [`<p>${parts.join(" · ")}</p>`];
}

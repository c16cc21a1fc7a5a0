import type { Core } from "./core.ts";
import { escapeHtml } from "./escape-html.ts";
import { renderPage } from "./html-page.ts";
import { PLAIN_LOOK } from "./look/look.ts";

/** The page at the root of the API's host: what runs here and where to go. */
export function renderHome({ addresses: { appUrl, pagesUrl }, settings }: Core): Response {
  const main = `<h1>Imprint is running</h1>
<p>This is a page-publishing service. Publish a site to it with <code>imprint publish</code>.</p>
<dl>
<dt>Route set A</dt><dd><code>${escapeHtml(appUrl)}/a</code></dd>
<dt>Route set B</dt><dd><code>${escapeHtml(appUrl)}/b</code></dd>
<dt>At the root</dt><dd>route set ${settings.routeSet.toUpperCase()}${settings.strict ? ", strict" : ""}</dd>
<dt>Published pages</dt><dd><a href="${escapeHtml(pagesUrl)}/">${escapeHtml(pagesUrl)}</a></dd>
</dl>`;
  return new Response(renderPage({ language: "en", title: "Imprint", main }), {
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy": PLAIN_LOOK.policy,
      "Cache-Control": "no-cache",
    },
  });
}

import type { Core } from "../host/core.ts";
import { renderPage } from "../http/html.ts";
import { PLAIN_LOOK } from "../look/look.ts";
import { findNewestSite } from "../store/sites.ts";

/** Leads from the root to the home page of the newest site that names one. */
export async function serveHome({ store, account }: Core): Promise<Response> {
  const site = await findNewestSite(store.database, account.id);
  if (site?.homeSlug !== undefined && site.homeSlug !== null) {
    return new Response(null, {
      status: 302,
      headers: { Location: `/p/${site.homeSlug}`, "Cache-Control": "no-cache" },
    });
  }
  const main = `<h1>Nothing is published here yet</h1>
<p>Pages appear below <code>/p/</code> as soon as they are published. This address leads to the home page of a site once the site has one.</p>`;
  const title = "Nothing is published here yet";
  return new Response(renderPage({ language: "en", title, main, look: PLAIN_LOOK, layout: "said" }), {
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy": PLAIN_LOOK.policy,
      "Cache-Control": "no-cache",
    },
  });
}

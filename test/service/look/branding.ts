import type { BrandKitBody } from "../../../src/contract/operations/content.ts";
import type { Service } from "../../../src/service.ts";
import { clientOf, type Send } from "../open-service.ts";

/** A service with one site: a page, a blog and a post that uses every element that posts use. */
export interface BrandedSite {
  readonly send: Send;
  /** Gives the site a kit; says its id. */
  wear(kit: BrandKitBody): Promise<string>;
}

const POST = `<p>Text with <a href="#more">a link</a> and <code>code</code>.</p><h2 id="more">More</h2>
<blockquote><p>Said by somebody.</p></blockquote><pre><code>npm run build</code></pre><ul><li>One</li></ul>
<table><tr><th>Paper</th><td>120 g</td></tr></table><p><mark>Marked</mark> and <small>small</small>.</p>`;

/** Paths of all kinds of pages that the service speaks with. */
export const SURFACES = ["/blog/notes", "/blog/notes/ink", "/_thanks/index", "/p/nowhere"] as const;

export async function openBrandedSite(service: Service, { name }: { readonly name: string }): Promise<BrandedSite> {
  const send = clientOf(service, { routeSet: "a" });
  await send("PUT", "/api/pages/index", { json: { html: "<!doctype html><title>Home</title><h1>Home</h1>" } });
  const site = await send("POST", "/api/sites", { json: { name, homeSlug: "index" } });
  const siteId = String(site.body.id);
  const blog = await send("POST", "/api/blogs", {
    json: { name: "Notes", slug: "notes", description: "On ink", siteId },
  });
  const fields = { slug: "ink", title: "On ink", html: POST, tags: ["ink"], excerpt: "Ink is a paint.", author: "Ada" };
  await send("POST", `/api/blogs/${String(blog.body.id)}/posts`, { json: fields });
  return {
    send,
    async wear(kit) {
      const { status, body, text } = await send("POST", "/api/brand-kits", { json: kit });
      if (status !== 201) throw new Error(text);
      await send("PATCH", `/api/sites/${siteId}`, { json: { brandKitId: body.id } });
      return String(body.id);
    },
  };
}

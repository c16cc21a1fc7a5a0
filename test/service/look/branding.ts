import { extractBrand } from "../../../src/brand/extract.ts";
import type { LogoFinding } from "../../../src/brand/findings.ts";
import { toBrandKit } from "../../../src/brand/kit.ts";
import type { BrandKitBody } from "../../../src/contract/operations/content.ts";
import type { Service } from "../../../src/service.ts";
import { DEFAULT_ORIGIN } from "../../brand/corpus/corpus-site.ts";
import { pagesOf, readWrittenSite, type WrittenSite } from "../../brand/corpus/written-sites.ts";
import { clientOf, fileForm, type Send } from "../open-service.ts";

/** A service with one site: a page, a blog and a post that uses every element that posts use. */
export interface BrandedSite {
  readonly send: Send;
  /** Sets the site's brand kit; returns its ID. */
  wear(kit: BrandKitBody): Promise<string>;
}

const POST = `<p>Text with <a href="#more">a link</a> and <code>code</code>.</p><h2 id="more">More</h2>
<blockquote><p>Said by somebody.</p></blockquote><pre><code>npm run build</code></pre><ul><li>One</li></ul>
<table><tr><th>Paper</th><td>120 g</td></tr></table><p><mark>Marked</mark> and <small>small</small>.</p>`;

/** Paths of all kinds of the service's own pages. */
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

/** Creates the kit of a written site with its logos in the library, optionally with its frame. */
export async function kitInLibrary(
  site: WrittenSite,
  send: Send,
  { frame }: { readonly frame?: "worn" } = {},
): Promise<BrandKitBody> {
  const read = readWrittenSite(site);
  const source = { read, home: `${DEFAULT_ORIGIN}/`, pages: pagesOf(site) };
  const findings = await extractBrand(source);
  const urls = new Map<LogoFinding, string>();
  const files = new Map<string, string>();
  for (const logo of findings.logos) {
    const { source: own } = logo;
    const content = own.kind === "svg" ? own.text : (await read(own.address))?.content;
    const name = own.kind === "svg" ? "logo.svg" : (new URL(own.address).pathname.split("/").at(-1) ?? "");
    if (content === undefined) continue;
    const { body } = await send("POST", "/api/library", {
      form: fileForm([name, new Uint8Array(Buffer.from(content))]),
    });
    urls.set(logo, String(body["url"]));
    if (own.kind === "address") files.set(own.address, String(body["url"]));
  }
  const kit = toBrandKit(findings, { logoUrl: (logo) => urls.get(logo) });
  if (frame === undefined) return kit;
  const addresses = { linkTo: () => "/p/index", fileAt: (address: string) => files.get(address) };
  const { frame: worn } = await extractBrand({ ...source, frame: addresses });
  return worn === null ? kit : { ...kit, frame: worn };
}

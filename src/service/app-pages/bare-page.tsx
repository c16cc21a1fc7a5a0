import { readFileSync } from "node:fs";
import { html, raw } from "hono/html";
import type { Child } from "hono/jsx";
import { sha256 } from "../../base/hash.ts";
import type { Letterhead } from "../look/letterhead.ts";

export const STYLE = readAsset("style", "css", "text/css; charset=utf-8");
export const SCRIPT = readAsset("script", "js", "text/javascript; charset=utf-8");

export const DESK_STYLE = readAsset("desk", "css", "text/css; charset=utf-8");

let deskScript: PageAsset | undefined;

/** The editor, which is made by `npm run build`, and read when a text is opened first. */
export function findDeskScript(): PageAsset {
  const folder = import.meta.url.endsWith(".tsx") ? "../dist/assets" : "./assets";
  return (deskScript ??= readAsset("desk", "js", "text/javascript; charset=utf-8", folder));
}

type PageAsset = ReturnType<typeof readAsset>;

/** A file that the pages load. Its path holds a hash, so that browsers can keep it forever. */
function readAsset(name: string, extension: string, ...[contentType, folder = "./assets"]: readonly [string, string?]) {
  const content = readFileSync(new URL(`${folder}/${name}.${extension}`, import.meta.url), "utf8");
  return { path: `/_dashboard/${name}.${sha256(content).slice(0, 12)}.${extension}`, contentType, content };
}

export interface BarePage {
  readonly title: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** A path of this service that the page leads to at once. */
  readonly goTo?: string;
  /** What the page wears; the headers have to allow its style. */
  readonly brand?: Pick<Letterhead, "header" | "style"> | undefined;
}

/** A page with a few words and no navigation, for someone who isn't signed in. */
export function renderBare(main: Child, { title, status, headers, goTo, brand }: BarePage): Response {
  const document = (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{title} · Imprint</title>
        {goTo !== undefined && <meta http-equiv="refresh" content={`0;url=${goTo}`} />}
        <link rel="stylesheet" href={STYLE.path} />
        {brand !== undefined && <style>{raw(brand.style)}</style>}
      </head>
      <body class="bare">
        {brand !== undefined && raw(brand.header)}
        <main>
          {main}
          {goTo !== undefined && (
            <p>
              <a href={goTo}>Continue</a>
            </p>
          )}
        </main>
      </body>
    </html>
  );
  return new Response(String(html`<!doctype html>${document}`), { status, headers });
}

/**
 * The headers of every page of the app's host. Pictures come from the library and frames are previews, both on the host
 * of published pages; everything else is the host's own. `styles`: a nonce of style sheets that a script makes, or the hash of
 * one in the page.
 */
export function appHeaders(
  pagesUrl: string,
  styles?: `nonce-${string}` | `sha256-${string}`,
): Readonly<Record<string, string>> {
  const pages = new URL(pagesUrl).origin;
  return {
    "Content-Security-Policy": [
      "default-src 'none'",
      "script-src 'self'",
      `style-src 'self'${styles === undefined ? "" : ` '${styles}'`}`,
      "connect-src 'self'",
      `img-src 'self' data: ${pages}`,
      `font-src 'self' ${pages}`,
      "frame-src 'self'",
      "form-action 'self'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ].join("; "),
    // Without a referrer a browser sends forms with the origin `null`, which doesn't show where they come from.
    "Referrer-Policy": "same-origin",
    "Cache-Control": "no-store",
    "Content-Type": "text/html; charset=utf-8",
  };
}

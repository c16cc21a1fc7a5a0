import { readFileSync } from "node:fs";
import { html, raw } from "hono/html";
import type { Child } from "hono/jsx";
import { sha256 } from "../../base/hash.ts";
import type { Letterhead } from "../look/letterhead.ts";

export const STYLE = readAsset("style", "css", "text/css; charset=utf-8");
export const SCRIPT = readAsset("script", "js", "text/javascript; charset=utf-8");

export const DESK_STYLE = readAsset("desk", "css", "text/css; charset=utf-8");

let deskScript: PageAsset | undefined;

/** Returns the editor's script, built by `npm run build`, reading it on first use. */
export function findDeskScript(): PageAsset {
  const folder = import.meta.url.endsWith(".tsx") ? "../dist/assets" : "./assets";
  return (deskScript ??= readAsset("desk", "js", "text/javascript; charset=utf-8", folder));
}

type PageAsset = ReturnType<typeof readAsset>;

/** Reads a file for the pages. Its path contains a hash, so that browsers can cache it forever. */
function readAsset(name: string, extension: string, ...[contentType, folder = "./assets"]: readonly [string, string?]) {
  const content = readFileSync(new URL(`${folder}/${name}.${extension}`, import.meta.url), "utf8");
  return { path: `/_dashboard/${name}.${sha256(content).slice(0, 12)}.${extension}`, contentType, content };
}

export interface BarePage {
  readonly title: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Path on this service to redirect to at once. */
  readonly goTo?: string;
  /** The brand of the page; the headers must allow its style. */
  readonly brand?: Pick<Letterhead, "header" | "style"> | undefined;
}

/** Renders a simple page without navigation, for visitors who aren't signed in. */
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
 * Returns the headers for every page on the app's host. Images come from the library and frames are previews, both on
 * the host of published pages; everything else must come from the app's host. `styles` is a nonce for style sheets
 * created by a script, or the hash of one in the page.
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
    // Without a referrer, browsers send forms with the origin `null`, which hides where they come from.
    "Referrer-Policy": "same-origin",
    "Cache-Control": "no-store",
    "Content-Type": "text/html; charset=utf-8",
  };
}

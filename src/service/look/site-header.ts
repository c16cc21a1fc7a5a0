import type { SurfaceTheme } from "../../brand/surface-theme.ts";
import type { BrandLogo } from "../../contract/records.ts";
import { escapeHtml } from "../http/html.ts";
import { libraryPath } from "./library-path.ts";

/** What a page says of the site that it belongs to. */
export interface SiteSign {
  readonly name: string;
  /** Path of the site's home page. */
  readonly homePath: string;
}

export interface SignContext {
  readonly logos: readonly BrandLogo[];
  readonly theme: SurfaceTheme;
  readonly pagesUrl: string;
}

/** The line above a page: the site's logo and its name, which lead to its home page. */
export function renderSiteHeader({ name, homePath }: SiteSign, context?: SignContext): string {
  const sign = context === undefined ? undefined : renderLogo(name, context);
  const words = sign?.saysName === true ? "" : `<span>${escapeHtml(name)}</span>`;
  return `<header class="top"><a href="${escapeHtml(homePath)}">${sign?.html ?? ""}${words}</a></header>\n`;
}

interface Sign {
  readonly html: string;
  /** Whether the name stands in the picture. */
  readonly saysName: boolean;
}

function renderLogo(name: string, { logos, theme, pagesUrl }: SignContext): Sign | undefined {
  const pathOf = (kind: string) =>
    libraryPath(
      logos.find((logo) => logo.kind === kind && libraryPath(logo.url, pagesUrl) !== undefined)?.url,
      pagesUrl,
    );
  const logo = logos.find(({ kind, url }) => kind === "logo" && libraryPath(url, pagesUrl) !== undefined);
  const path = libraryPath(logo?.url, pagesUrl);
  if (logo === undefined || path === undefined) {
    const icon = pathOf("icon") ?? pathOf("touch-icon");
    return icon === undefined ? undefined : { html: `<img src="${icon}" alt="">`, saysName: false };
  }
  const saysName = isWordmark(logo);
  const alt = saysName ? escapeHtml(name) : "";
  const dark = pathOf("logo-dark");
  // Without a second logo the only one stands on the ground that it was drawn for.
  const isPlated = dark === undefined && theme.ownSchemes.length > 0;
  const source =
    dark === undefined || dark === path ? "" : `<source media="(prefers-color-scheme: dark)" srcset="${dark}">`;
  const html = `<picture${isPlated ? ' class="plate"' : ""}>${source}<img src="${path}" alt="${alt}"></picture>`;
  return { html, saysName };
}

// A mark is about as wide as it is high. Where the size is not known, the name is written out.
const LEAST_WORDMARK_RATIO = 1.8;

function isWordmark({ width, height }: BrandLogo): boolean {
  return typeof width === "number" && typeof height === "number" && width >= height * LEAST_WORDMARK_RATIO;
}

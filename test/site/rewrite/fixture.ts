import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { renderHtml } from "../../../src/html/page-html.ts";
import { fillPlaceholders } from "../../../src/html/fill-placeholders.ts";
import type { Placement, RewriteSettings, RewrittenPage, SiteAsset } from "../../../src/site/model.ts";
import { isPublished, readBuiltSite } from "../../../src/site/read-site.ts";
import { createRewriter } from "../../../src/site/rewrite/rewriter.ts";
import { planSlugs } from "../../../src/site/slugs.ts";

export const FIXTURES = join(import.meta.dirname, "../../fixtures/rewrite");

/** Placements for a library that accepts everything, and for one that accepts only images. */
export const PLACEMENTS = {
  library: { styles: "library", fonts: "library", scripts: "library", files: "library" },
  inline: { styles: "inline", fonts: "inline", scripts: "data", files: "keep" },
} as const satisfies Record<string, Placement>;

export interface FixtureSettings {
  /** Path of the page in `input.html`. */
  readonly page?: string;
  readonly base?: string;
  readonly site?: string;
  readonly placement?: keyof typeof PLACEMENTS;
  /** Whether the address of published pages is known. */
  readonly hasPageUrl?: boolean;
  /** Whether search engines must not index the page. */
  readonly noindex?: boolean;
  /** Expected warnings, as `code:line`. */
  readonly warnings?: readonly string[];
}

export interface Fixture {
  readonly settings: FixtureSettings;
  readonly page: string;
  /** A fresh copy of the built site. */
  readonly dist: string;
}

export function openFixture(name: string): Fixture {
  const folder = join(FIXTURES, name);
  const settingsFile = join(folder, "settings.json");
  const settings: FixtureSettings = existsSync(settingsFile) ? JSON.parse(readFileSync(settingsFile, "utf8")) : {};
  const page = settings.page ?? "index.html";
  const dist = makeFolder();
  if (existsSync(join(folder, "files"))) cpSync(join(folder, "files"), dist, { recursive: true });
  writeSiteFile(dist, page, readFileSync(join(folder, "input.html"), "utf8"));
  return { settings, page, dist };
}

export function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "imprint-site-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export function writeSiteFile(dist: string, path: string, content: string | Uint8Array): void {
  mkdirSync(dirname(join(dist, path)), { recursive: true });
  writeFileSync(join(dist, path), content);
}

export async function rewriteFixture({ dist, page, settings }: Fixture): Promise<RewrittenPage> {
  const site = await readBuiltSite(dist, { site: settings.site ?? "https://example.com", base: settings.base ?? "/" });
  const { slugs } = planSlugs(site.pages.filter(isPublished).map(({ route }) => route));
  const built = site.pages.find(({ file }) => file === page);
  if (built === undefined) throw new Error(`${page} was not found again.`);
  const placement = PLACEMENTS[settings.placement ?? "library"];
  const { hasPageUrl, noindex = false } = settings;
  return wholePage(
    createRewriter(site, { ...rewriteSettings(slugs, { placement, hasPageUrl }), noindex }).rewrite(built),
  );
}

/** Fills in the fonts and modules that are inlined when a page is sent. */
export function wholePage(page: RewrittenPage): RewrittenPage {
  return { ...page, html: renderHtml(page), findInsert: undefined };
}

export function rewriteSettings(
  slugs: ReadonlyMap<string, string>,
  options: { readonly placement?: Placement; readonly hasPageUrl?: boolean | undefined } = {},
): RewriteSettings {
  return {
    slugs,
    pageHref: (slug) => `/p/${slug}`,
    pageUrl: options.hasPageUrl === false ? undefined : (slug) => `https://pages.example/p/${slug}`,
    placement: options.placement ?? PLACEMENTS.library,
  };
}

/** Renders the page for readers, with every asset under its own name. */
export function publish(text: string, assets: readonly SiteAsset[]): string {
  const names = new Map(assets.map((asset) => [asset.hash, asset.name]));
  return fillPlaceholders(text, (hash) => {
    const name = names.get(hash);
    if (name === undefined) throw new Error(`${hash} is named but not listed among the page's assets.`);
    return `https://library.example/${name}`;
  });
}

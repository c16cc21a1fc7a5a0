import type { BrandFrame, BrandLogo } from "../../contract/brand-parts.ts";
import { createHash } from "node:crypto";
import type { WornFrame } from "../../brand/frame/wear-frame.ts";
import { LRUCache } from "lru-cache";
import type { Band } from "../../brand/surface-bands.ts";
import type { SurfaceFont } from "../../brand/surface-fonts.ts";
import type { SurfacePalette, SurfaceTheme } from "../../brand/surface-theme.ts";
import { directionOf } from "../../base/language.ts";
import { POST_BODY_STYLE } from "../../html/post-body-style.ts";
import type { Core } from "../host/core.ts";
import { escapeHtml } from "../http/html.ts";
import { libraryPath } from "../resources/addresses.ts";
import { findBlog } from "../store/blogs.ts";
import type { BrandKit } from "../store/brand-kits.ts";
import { findRow } from "../store/rows.ts";
import { findPage, findPublishedState, readPageHtml } from "../store/pages.ts";
import type { Database } from "../store/tables.ts";
import { findNewestSite, findSite, homePageOf, type Site } from "../store/sites.ts";
import { renderMeasures } from "./measures.ts";
import { readSiteLanguage, UNKNOWN_LANGUAGE, type SiteLanguage } from "./site-language.ts";
import { BLOG_STYLE, FRAME_STYLE, PAGE_STYLE, PLAIN_VARIABLES } from "./styles.ts";

/** The style of a service page. Its texts are already escaped. */
export interface Look {
  readonly style: string;
  /** A content security policy that allows only this look: no scripts, frames, forms or other hosts. */
  readonly policy: string;
  /** HTML for the head: icons and the theme color. */
  readonly head: string;
  /** HTML above the page: the site's own header, or its logo and name. Empty without a site. */
  readonly header: string;
  /** HTML below the page: the site's own footer. */
  readonly footer: string;
  readonly site: SiteLanguage;
}

/** What a service page belongs to; `host` for the host as a whole. */
export type LookSubject =
  | { readonly kind: "host" }
  | { readonly kind: "page"; readonly slug: string }
  | { readonly kind: "blog"; readonly slug: string }
  | { readonly kind: "site"; readonly siteId: string | null };

/** The look of a service without sites. It loads nothing, so it works offline. */
export const PLAIN_LOOK = createLook(PLAIN_VARIABLES, { head: "", header: "", footer: "" });

/**
 * Returns the look of a service page: that of its site, or of the newest site with a home page. A site without a brand
 * kit gets the service's own look with the site's name above.
 */
export async function findLook(core: Core, subject: LookSubject): Promise<Look> {
  const { store, account } = core;
  const records = { database: store.database, accountId: account.id };
  const site = await findSubjectSite(records, subject);
  if (site === undefined) return PLAIN_LOOK;
  return { ...(await findSiteLook(core, site)), site: await findSiteLanguage(core, site) };
}

async function findSiteLook({ store, account, addresses }: Core, site: Site): Promise<Look> {
  const records = { database: store.database, accountId: account.id };
  const { name } = site;
  const home = homePathOf(site);
  const kit = await findKit(records, site);
  if (kit === undefined)
    return createLook(PLAIN_VARIABLES, { head: "", header: renderHeader({ name, home }), footer: "" });
  const { colors, fonts, logos, design, frame } = kit;
  const parts = { colors, fonts, logos, design, frame };
  const branded = { name, home, pagesUrl: addresses.libraryUrl ?? addresses.pagesUrl, kit: parts };
  const key = createHash("sha256").update(JSON.stringify(branded)).digest("base64");
  const look = knownLooks.get(key) ?? (await createBrandLook(branded));
  knownLooks.set(key, look);
  return look;
}

export interface AccountRecords {
  readonly database: Database;
  readonly accountId: string;
}

/** Returns the site of a service page, or the newest site with a home page. */
export async function findSubjectSite(
  { database, accountId }: AccountRecords,
  subject: LookSubject,
): Promise<Site | undefined> {
  const id = await findSiteId(subject);
  const own = id === null ? undefined : await findSite(database, { accountId, id });
  return own ?? (await findNewestSite(database, accountId));

  async function findSiteId(of: LookSubject): Promise<string | null> {
    if (of.kind === "site") return of.siteId;
    if (of.kind === "page") return (await findPage(database, { accountId, slug: of.slug }))?.siteId ?? null;
    if (of.kind === "blog") return (await findBlog(database, { accountId, idOrSlug: of.slug }))?.siteId ?? null;
    return null;
  }
}

export async function findKit(
  { database, accountId }: AccountRecords,
  { brandKitId }: Site,
): Promise<BrandKit | undefined> {
  return brandKitId === null ? undefined : await findRow(database, "brandKit", { accountId, id: brandKitId });
}

/** Returns the path of a site's home page; the root if it has none. */
export function homePathOf(site: Site): string {
  const slug = homePageOf(site);
  return slug === undefined ? "/" : `/p/${slug}`;
}

// By content hash of the home page.
const knownLanguages = new LRUCache<string, SiteLanguage>({ max: 1000 });

export async function findSiteLanguage({ store, account }: Core, site: Site): Promise<SiteLanguage> {
  const slug = homePageOf(site);
  const page = slug && (await findPublishedState(store.database, { accountId: account.id, slug }));
  if (!page) return UNKNOWN_LANGUAGE;
  const known = knownLanguages.get(page.contentHash);
  if (known !== undefined) return known;
  const html = await readPageHtml(store.database, { ...page, accountId: account.id });
  const found = html === undefined ? UNKNOWN_LANGUAGE : readSiteLanguage(html);
  knownLanguages.set(page.contentHash, found);
  return found;
}

export interface HtmlPage {
  readonly title: string;
  /** HTML of the head besides title and style. */
  readonly head?: string;
  /** HTML of the main part; its texts are already escaped. */
  readonly main: string;
  readonly language: string;
  readonly look: Look;
  /** `said`: a short message in the middle of the window. Default: a page to read. */
  readonly layout?: "said";
}

/** Renders a full HTML document in the look of a site or of the service. */
export function renderPage({ title, head = "", main, language, look, layout }: HtmlPage): string {
  const direction = language === look.site.language ? look.site.direction : directionOf(language);
  return `<!doctype html>
<html lang="${language}"${look.site.direction === "ltr" ? "" : ` dir="${look.site.direction}"`}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
${head}${look.head}<style>${look.style}</style>
</head>
<body>
${look.header}<main${layout === undefined ? "" : ` class="${layout}"`}${direction === look.site.direction ? "" : ` dir="${direction}"`}>
${main}
</main>
${look.footer}</body>
</html>
`;
}

/** Creates a look from custom properties and the HTML around the page. */
function createLook(
  variables: string,
  {
    head,
    header,
    footer,
    frame,
  }: Pick<Look, "head" | "header" | "footer"> & { readonly frame?: WornFrame | undefined },
): Look {
  const style = `\n${frame?.fonts ?? ""}${variables}${PAGE_STYLE}${POST_BODY_STYLE}${BLOG_STYLE}${frame === undefined ? "" : FRAME_STYLE}${frame?.column ?? ""}`;
  const styles = [style, ...(frame === undefined ? [] : [frame.css])];
  const hashes = styles.map((text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`);
  // Images and fonts come from the library on the same host; a frame has small images inline.
  const pictures = frame === undefined ? "'self'" : "'self' data:";
  const policy = `default-src 'none'; style-src ${hashes.join(" ")}; img-src ${pictures}; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
  return {
    ...{ style, policy, head, header: frame?.header ?? header, footer: frame?.footer ?? footer },
    site: UNKNOWN_LANGUAGE,
  };
}

/** A site with a brand kit. */
interface Branded {
  readonly name: string;
  /** Path or URL of the site's home page. */
  readonly home: string;
  readonly pagesUrl: string;
  readonly kit: Pick<BrandKit, "colors" | "fonts" | "logos" | "design" | "frame">;
}

// Computing colors is expensive.
const knownLooks = new LRUCache<string, Look>({ max: 100 });

async function createBrandLook(branded: Branded): Promise<Look> {
  const { name, home, pagesUrl, kit } = branded;
  const frame = kit.frame === null ? undefined : await wearFrame(kit.frame, pagesUrl);
  const { theme, files, variables, header } = await createBrandLooks(branded);
  const { light, dark } = theme.bands;
  const hasFooter = light.footer !== undefined || dark.footer !== undefined;
  return createLook(variables, {
    head: renderHead(files, theme),
    header,
    footer: hasFooter ? `<footer class="bottom">${renderHomeLink(home, escapeHtml(name))}</footer>\n` : "",
    frame,
  });
}

/** The common parts of everything that shows a brand. */
interface BrandLooks {
  readonly theme: SurfaceTheme;
  readonly files: LogoFiles;
  /** The logo in light mode. */
  readonly logo: LogoFile | undefined;
  /** Backgrounds of the logo. */
  readonly plates: Plates;
  /** CSS variables for fonts, colors and measures. */
  readonly variables: string;
  /** HTML of the header with logo and name. */
  readonly header: string;
}

/** `filesAt`: the origin of the library, for pages on other origins. */
export async function createBrandLooks({
  name,
  home,
  pagesUrl,
  kit,
  filesAt = "",
}: Branded & { readonly filesAt?: string }): Promise<BrandLooks> {
  // Loaded on demand, since only branded pages need to compute colors.
  const { createSurfaceTheme, logoIn, plateColors } = await import("../../brand/surface-theme.ts");
  const { design } = kit;
  const theme = createSurfaceTheme({ colors: [...kit.colors], fonts: [...kit.fonts], design });
  const fileOf = (address: string | null | undefined) => {
    const path = libraryPath(address, pagesUrl);
    return path === undefined ? undefined : filesAt + path;
  };
  const files = new Map<string, LogoFile>();
  for (const logo of kit.logos) {
    const path = fileOf(logo.url);
    if (path !== undefined && !files.has(logo.kind)) files.set(logo.kind, { ...logo, path });
  }
  const plates = plateColors(theme, files);
  const logo = logoIn(theme.shown.light, files);
  const inDark = logoIn(theme.shown.dark, files);
  const icon = files.get("icon") ?? files.get("touch-icon");
  return {
    theme,
    files,
    logo,
    plates,
    variables: renderTheme(theme, fileOf, plates) + renderMeasures(design),
    header: renderHeader({ name, home, logo: renderLogo(name, { logo, inDark, icon }, plates) }),
  };
}

// Frames come from whoever wrote the kit, so they are sanitized before use.
async function wearFrame(frame: BrandFrame, pagesUrl: string): Promise<WornFrame | undefined> {
  const { wearFrame: wear } = await import("../../brand/frame/wear-frame.ts");
  return wear(frame, (address) => libraryPath(address, pagesUrl));
}

export type LogoFile = BrandLogo & { readonly path: string };

/** The kit's logo files in the library, by kind. */
type LogoFiles = ReadonlyMap<string, LogoFile>;

interface Logo {
  readonly html: string;
  /** Whether the logo contains the name. */
  readonly saysName: boolean;
}

function renderHeader({ name, home, logo }: Pick<Branded, "name" | "home"> & { readonly logo?: Logo | undefined }) {
  const words = logo?.saysName === true ? "" : `<span>${escapeHtml(name)}</span>`;
  return `<header class="top">${renderHomeLink(home, `${logo?.html ?? ""}${words}`)}</header>\n`;
}

function renderHomeLink(home: string, content: string): string {
  return `<a href="${escapeHtml(home)}">${content}</a>`;
}

type Plates = Readonly<Record<"light" | "dark", string>>;

function renderLogo(
  name: string,
  { logo, inDark, icon }: Readonly<Record<"logo" | "inDark" | "icon", LogoFile | undefined>>,
  plates: Plates,
): Logo | undefined {
  if (logo === undefined) {
    return icon === undefined ? undefined : { html: `<img src="${icon.path}" alt="">`, saysName: false };
  }
  const saysName = isWordmark(logo);
  const alt = saysName ? escapeHtml(name) : "";
  const dark = inDark?.path;
  const isPlated = plates.light !== "transparent" || plates.dark !== "transparent";
  const source =
    dark === undefined || dark === logo.path ? "" : `<source media="(prefers-color-scheme: dark)" srcset="${dark}">`;
  const html = `<picture${isPlated ? ' class="plate"' : ""}>${source}<img src="${logo.path}" alt="${alt}"></picture>`;
  return { html, saysName };
}

// A mark is about as wide as it is high. If the size is unknown, the name is written out.
const LEAST_WORDMARK_RATIO = 1.8;

function isWordmark({ width, height }: BrandLogo): boolean {
  return typeof width === "number" && typeof height === "number" && width >= height * LEAST_WORDMARK_RATIO;
}

function renderHead(files: LogoFiles, { palettes, bands }: SurfaceTheme): string {
  const links = [
    { path: files.get("icon")?.path, rel: "icon" },
    { path: files.get("touch-icon")?.path, rel: "apple-touch-icon" },
  ].map(({ path, rel }) => (path === undefined ? "" : `<link rel="${rel}" href="${path}">\n`));
  const frame = (["light", "dark"] as const).map(
    (scheme) =>
      `<meta name="theme-color" media="(prefers-color-scheme: ${scheme})" content="${bands[scheme].header?.background ?? palettes[scheme].paper}">\n`,
  );
  return [...links, ...frame].join("");
}

const FACES = ["heading", "body", "mono"] as const;

function renderTheme(
  { palettes, bands, grounds, fonts, headingWeight, shown }: SurfaceTheme,
  fileOf: (address: string | null | undefined) => string | undefined,
  plates: Plates,
) {
  const files = new Map(FACES.map((role) => [role, fileOf(fonts[role].url)]));
  const faces = FACES.map((role) => {
    const path = files.get(role);
    const { weights } = fonts[role];
    return path === undefined
      ? ""
      : `@font-face { font-family: "Brand ${role}"; src: url("${path}"); font-weight: ${weights}; font-display: swap }\n`;
  });
  const stackOf = (role: (typeof FACES)[number], { stack }: SurfaceFont) =>
    files.get(role) === undefined ? stack : `"Brand ${role}", ${stack}`;
  const type = FACES.map((role) => `--${role}: ${stackOf(role, fonts[role])}`).join("; ");
  return `${faces.join("")}:root { ${type}; --heading-weight: ${headingWeight} }
${renderScheme("light")}
@media (prefers-color-scheme: dark) { ${renderScheme("dark")} }
`;

  function renderScheme(scheme: "light" | "dark"): string {
    const { header, footer } = bands[scheme];
    const ground = grounds[scheme];
    const around = `--ground: ${ground?.background ?? "initial"}; --wrapper-line: ${ground?.border ?? "initial"}`;
    return `:root { color-scheme: ${shown[scheme]}; ${renderPalette(palettes[scheme])}; --plate: ${plates[scheme]}; ${renderBand("top", header)}; ${renderBand("bottom", footer)}; ${around} }`;
  }
}

// `initial` makes the band use the colors of the page.
function renderBand(name: string, band: Band | undefined): string {
  return `--${name}: ${band?.background ?? "initial"}; --on-${name}: ${band?.text ?? "initial"}`;
}

function renderPalette(palette: SurfacePalette): string {
  return Object.entries(palette)
    .map(([name, value]) => `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}: ${value}`)
    .join("; ");
}

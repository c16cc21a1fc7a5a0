import { setTimeout } from "node:timers/promises";
import { ImprintError } from "../../base/error.ts";
import { extractBrand, type ExtractOptions } from "../../brand/extract.ts";
import type { LogoFinding, BrandFindings } from "../../brand/findings.ts";
import { isSystemFamily } from "../../brand/font/family-name.ts";
import { pinnedColors, toBrandKit } from "../../brand/kit.ts";
import type { ReadAddress, ReadResult } from "../../brand/page/reader.ts";
import { findUnreadablePins } from "../../brand/pins.ts";
import type { BrandKitBody } from "../../contract/operations/content.ts";
import type { LibraryFindings } from "../../client/library-findings.ts";
import { sendPlainly } from "../../client/transport/plain.ts";
import { renderPlaceholder } from "../../html/placeholders.ts";
import type { Options } from "../../options/schema.ts";
import { contentTypeOf, kindOf } from "../../site/content-type.ts";
import type { BuiltPage, BuiltSite, SiteAsset, SiteWarning } from "../../site/model.ts";
import { isPublished, readBuiltSite } from "../../site/read-site.ts";
import { createAssetRegistry } from "../../site/rewrite/assets.ts";
import { findPackagedFont, fontPackageName } from "./font-packages.ts";
import { pinnedBrand, type PinnedLogoFile } from "./pinned-logos.ts";
import { createSiteAddresses, type SiteAddresses } from "./site-addresses.ts";
import { desireBrandKit, type DesiredBrandKit } from "../desired.ts";

export interface BrandContext {
  readonly projectRoot: string;
  readonly pinnedLogos: readonly PinnedLogoFile[];
  readonly published: readonly BuiltPage[];
  readonly options: Options;
  readonly siteName: string;
  /** Slugs of the published pages by route. */
  readonly slugs: ReadonlyMap<string, string>;
  /** Address of a page in links. */
  readonly pageHref: (slug: string) => string;
  /** Which kinds of files pages can load from the library. */
  readonly library: LibraryFindings;
  /** Called with every address that the brand is extracted from. */
  readonly onRead: (address: string) => void;
  /** Called with every font family that is looked up in the project's packages. */
  readonly onFamily: (family: string) => void;
}

export interface DesiredBrand {
  readonly kit: DesiredBrandKit | undefined;
  /** Files of logos and fonts. */
  readonly assets: readonly SiteAsset[];
  readonly warnings: readonly SiteWarning[];
}

/** Extracts colors, fonts and logos from the built site, unless the options disable it. */
export async function desireBrand(built: BuiltSite, context: BrandContext): Promise<DesiredBrand> {
  const { published, options, siteName, library, pinnedLogos } = context;
  const [first] = published;
  if (options.brandKit === false || first === undefined) return { kit: undefined, assets: [], warnings: [] };
  const addresses = createSiteAddresses(built);
  const home = published.find((page) => page.route === "/") ?? first;
  const assets: SiteAsset[] = [];
  const registry = createAssetRegistry(built);
  const place = (asset: SiteAsset): string => {
    assets.push(asset);
    return renderPlaceholder(asset.hash);
  };
  const unmatched: SiteWarning[] = [];
  const warn = (warning: SiteWarning) => void unmatched.push(warning);
  const findings = await extractBrand({
    ...frameOf(options.brandKit.frame, { context, addresses, registry, place, usedIn: home.file, warn }),
    read(address) {
      context.onRead(address);
      return addresses.read(address);
    },
    home: addresses.of(home),
    pages: published.map(addresses.of),
  });
  const pinned = pinnedBrand(options, pinnedLogos, ({ asset }) => place(asset));
  const kit = toBrandKit(findings, {
    name: options.brandKit.name ?? siteName,
    pinned,
    fontUrl({ address }) {
      if (address === null) return undefined;
      const file = addresses.fileAt(address);
      if (file === undefined) return externalAddress(address, addresses);
      // If the library doesn't serve fonts, a font of the site has no address to load it from.
      if (library.fonts.kind !== "served") return undefined;
      return place(registry.fromFile(file, { usedIn: home.file, optimize: "never" }));
    },
    logoUrl(logo) {
      const asset = logoAsset(logo, { registry, addresses, usedIn: home.file });
      if (asset !== undefined) return place(asset);
      return logo.source.kind === "address" ? externalAddress(logo.source.address, addresses) : undefined;
    },
  });
  const packaged = bringFonts(kit, { context, place });
  const named = [...new Set(assets.map((asset) => asset.hash))];
  return {
    kit: {
      ...desireBrandKit({ ...kit, fonts: packaged.fonts }, named),
      hasFixedName: options.brandKit.name !== undefined,
    },
    assets,
    warnings: [...unmatched, ...warnOfPins(kit, pinnedColors(findings, pinned)), ...packaged.warnings],
  };
}

interface BroughtFonts {
  readonly fonts: NonNullable<BrandKitBody["fonts"]>;
  readonly warnings: readonly SiteWarning[];
}

/** Adds library files for font families that the site loads from elsewhere, if a package in the project has them. */
function bringFonts(
  { fonts = [], design }: BrandKitBody,
  { context, place }: { readonly context: BrandContext; readonly place: (asset: SiteAsset) => string },
): BroughtFonts {
  const { projectRoot, options, library, onFamily } = context;
  if (library.fonts.kind !== "served") return { fonts, warnings: [] };
  const missing = new Set<string>();
  const brought = fonts.map((font) => {
    const { family, role, source, url } = font;
    const isAtHand = typeof url === "string" && !/^https?:/.test(url);
    if (isAtHand || isSystemFamily(family)) return font;
    onFamily(family);
    const weight = role === "heading" ? (design?.headingWeight ?? 700) : 400;
    const found = findPackagedFont(projectRoot, family, weight);
    if (found !== undefined) return { ...font, weights: found.weights, url: place(found.asset) };
    if (source === "google" || source === "remote") missing.add(family);
    return font;
  });
  const isWanted = options.brandKit !== false && options.brandKit.fonts === "library";
  return { fonts: brought, warnings: isWanted ? [...missing].map(warnOfMissingFont) : [] };
}

function warnOfMissingFont(family: string): SiteWarning {
  return {
    code: "brand-font",
    file: "brandKit.fonts",
    message: `The site loads ${family} from another host, so the service's own pages show it only to readers who have it installed. To upload it to the library, run \`npm install --save-dev ${fontPackageName(family)}\`, if that package exists.`,
  };
}

interface FrameContext {
  readonly context: BrandContext;
  readonly addresses: SiteAddresses;
  readonly registry: ReturnType<typeof createAssetRegistry>;
  readonly place: (asset: SiteAsset) => string;
  readonly usedIn: string;
  readonly warn: (warning: SiteWarning) => void;
}

/** In the frame, links lead to published pages, and images and fonts to the library. */
function frameOf(
  frame: Exclude<Options["brandKit"], false>["frame"],
  { context, addresses, registry, place, usedIn, warn }: FrameContext,
): Pick<ExtractOptions, "frame"> {
  if (frame === false) return {};
  const { slugs, pageHref, library } = context;
  return {
    frame: {
      pinned: frame,
      onUnmatched(part, selector) {
        const lack = part === "header" ? "show the logo and the name instead" : "have no footer";
        const message = `Nothing on the home page matches \`${selector}\`, so the service's own pages ${lack}.`;
        warn({ code: "brand-frame", file: `brandKit.frame.${part}`, message });
      },
      linkTo(address) {
        if (!addresses.isOwn(address)) return externalAddress(address, addresses);
        const route = addresses.routeAt(address);
        const slug = route === undefined ? undefined : slugs.get(route);
        return slug === undefined ? undefined : pageHref(slug);
      },
      fileAt(address) {
        const file = addresses.fileAt(address);
        if (file === undefined) return undefined;
        const kind = kindOf(contentTypeOf(file));
        const isShown = kind === "image" || (kind === "font" && library.fonts.kind === "served");
        return isShown
          ? place(registry.fromFile(file, { usedIn, optimize: kind === "font" ? "never" : "same-type" }))
          : undefined;
      },
    },
  };
}

function warnOfPins(kit: BrandKitBody, pinned: Readonly<Record<string, string>>): readonly SiteWarning[] {
  return findUnreadablePins(kit, pinned).map(({ role, hex, background, contrast }) => ({
    code: "brand-contrast",
    file: "brandKit.colors",
    message: `${role} ${hex} is hard to read on ${background} (contrast ${contrast.toFixed(1)}:1; at least 4.5:1 is needed), so the service's own pages use a similar, readable color.`,
  }));
}

interface LogoContext {
  readonly registry: ReturnType<typeof createAssetRegistry>;
  readonly addresses: SiteAddresses;
  readonly usedIn: string;
}

function logoAsset({ kind, source }: LogoFinding, { registry, addresses, usedIn }: LogoContext): SiteAsset | undefined {
  if (source.kind === "svg") {
    return registry.fromText(source.text, { path: `${kind}.svg`, kind: "image", assets: [], usedIn });
  }
  const file = addresses.fileAt(source.address);
  // The kit contains the type of the file, so that must not change.
  return file === undefined ? undefined : registry.fromFile(file, { usedIn, optimize: "same-type" });
}

function externalAddress(address: string, addresses: SiteAddresses): string | undefined {
  return /^https?:/.test(address) && address.length <= 2048 && !addresses.isOwn(address) ? address : undefined;
}

/** The brand found in a site, and how its files are read. */
export interface FoundBrand {
  readonly findings: BrandFindings;
  readonly read: ReadAddress;
  /** Returns the display name of an address: for a file of a folder, its path in it. */
  readonly nameOf: (address: string) => string;
}

/**
 * Finds the brand of a built folder, or of a site by its address.
 *
 * @throws ImprintError `DIST_MISSING`, `DIST_EMPTY`, … for a folder; `USAGE` if an address is invalid;
 * `PAGE_UNREADABLE` if nothing is at it
 */
export async function findBrand(place: string): Promise<FoundBrand> {
  if (!/^https?:\/\//.test(place)) return findBrandIn(place);
  const address = URL.parse(place);
  if (address === null) throw new ImprintError("USAGE", `${place} isn't a valid address.`);
  return findBrandAt(address.href);
}

async function findBrandIn(folder: string): Promise<FoundBrand> {
  const built = await readBuiltSite(folder);
  const { of, read, nameOf } = createSiteAddresses(built);
  const pages = built.pages.filter(isPublished);
  const home = pages.find((page) => page.route === "/") ?? pages[0];
  if (home === undefined) throw new ImprintError("DIST_EMPTY", `${folder} contains no HTML pages.`);
  return { findings: await extractBrand({ read, home: of(home), pages: pages.map(of) }), read, nameOf };
}

async function findBrandAt(home: string): Promise<FoundBrand> {
  const findings = await extractBrand({ read: readRemote, home });
  if (findings.pages.length === 0) {
    const reason = findings.problems[0]?.message ?? "It answers nothing.";
    throw new ImprintError("PAGE_UNREADABLE", `${home} can't be read. ${reason}`, {
      hint: "Check the address, or name the built folder instead.",
    });
  }
  return { findings, read: readRemote, nameOf: (address) => address };
}

const TIMEOUT_MS = 15_000;
const PAUSE_MS = 500;
// Temporary failures.
const BUSY = new Set([429, 502, 503, 504]);

// Each request is retried once, as a failure would change the kit, for example to one without its logo.
async function readRemote(address: string) {
  if (!/^https?:/.test(address)) return undefined;
  const first = await fetchWhole(address).catch(() => undefined);
  if (first !== undefined && !BUSY.has(first.status)) return foundIn(first);
  await setTimeout(PAUSE_MS);
  return foundIn(await fetchWhole(address));
}

interface Fetched extends Required<ReadResult> {
  readonly status: number;
}

async function fetchWhole(address: string): Promise<Fetched> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const { status, url, headers, bytes } = await sendPlainly(address, { headers: {}, redirect: "follow", signal });
  return { status, address: url, contentType: headers.get("content-type") ?? "", content: bytes };
}

function foundIn({ status, ...found }: Fetched): ReadResult | undefined {
  if (status === 404 || status === 410) return undefined;
  if (status >= 400) throw new Error(`status ${status}`);
  return found;
}

import { relative, sep } from "node:path";
import * as z from "zod";
import { sha256 } from "../../base/hash.ts";
import type { Logger } from "../../base/log.ts";
import { readCache, replaceCache } from "../../memory/cache.ts";
import { programVersion } from "../../site/page-cache.ts";
import type { BuiltSite } from "../../site/model.ts";
import type { BrandContext, DesiredBrand } from "./desired-brand.ts";
import { findPackagedFont } from "./font-packages.ts";
import { createSiteAddresses } from "./site-addresses.ts";

export interface RecallContext extends Omit<BrandContext, "onRead" | "onFamily"> {
  readonly logger: Logger;
  /** Whether this run must not write files. */
  readonly dryRun: boolean;
}

interface Remembered extends DesiredBrand {
  /** SHA-256 of every file that the brand was extracted from, and of fonts in packages; `null` if there was none. */
  readonly sources: Readonly<Record<string, string | null>>;
}

// The key includes the program's version, and the memory omits damaged values, so the shape needs no further check.
const memorySchema = z.custom<Remembered>((value) => typeof value === "object" && value !== null && "sources" in value);

/** Prefix of a font family that was looked up in the project's packages. */
const FAMILY = "font:";

const NO_BRAND: DesiredBrand = { kit: undefined, assets: [], warnings: [] };

/**
 * Returns the brand of a built site, from memory if every file that it was extracted from is unchanged. Most builds
 * change text and not colors, and extracting takes longer than all the rest of a run that sends nothing.
 */
export async function recallBrand(built: BuiltSite, context: RecallContext): Promise<DesiredBrand> {
  const { options, projectRoot, logger, dryRun } = context;
  if (options.brandKit === false) return NO_BRAND;
  const place = { projectRoot, name: "brand", logger };
  const key = brandKey(built, context);
  const fileOf = createSources(built);
  const sourceOf = (source: string) =>
    source.startsWith(FAMILY)
      ? findPackagedFont(projectRoot, source.slice(FAMILY.length), 400)?.asset.hash
      : fileOf(source);
  const remembered = memorySchema.safeParse(readCache(place).get(key)).data;
  if (remembered !== undefined && isCurrent(remembered.sources, sourceOf)) {
    const { kit, assets, warnings } = remembered;
    return { kit, assets, warnings };
  }
  const addresses = new Set<string>();
  const { desireBrand } = await import("./desired-brand.ts");
  const brand = await desireBrand(built, {
    ...context,
    onRead: (address) => void addresses.add(address),
    onFamily: (family) => void addresses.add(FAMILY + family),
  });
  for (const { source } of brand.assets) if (source.kind === "file") addresses.add(source.path);
  const sources = Object.fromEntries([...addresses].map((address) => [address, sourceOf(address) ?? null]));
  if (!dryRun) replaceCache(place, new Map([[key, { sources, ...brand }]]));
  return brand;
}

function isCurrent(
  sources: Readonly<Record<string, string | null>>,
  sourceOf: (address: string) => string | undefined,
): boolean {
  return Object.entries(sources).every(([address, hash]) => (sourceOf(address) ?? null) === hash);
}

/** Returns a function that hashes the file at an address of the site, or at a path in the dist folder. */
function createSources(built: BuiltSite): (address: string) => string | undefined {
  const addresses = createSiteAddresses(built);
  const pages = new Map(built.pages.map(({ file, hash }) => [file, hash]));
  return (address) => {
    const file = /^https?:/.test(address)
      ? addresses.fileAt(address)
      : relative(built.root, address).split(sep).join("/");
    return file === undefined ? undefined : (built.files.get(file)?.hash ?? pages.get(file));
  };
}

function brandKey({ root, origin, base }: BuiltSite, context: RecallContext): string {
  const { options, published, siteName, library, pinnedLogos, slugs, pageHref } = context;
  return sha256(
    JSON.stringify([
      programVersion(),
      [root, origin, base],
      published.map(({ route, file }) => [route, file, pageHref(slugs.get(route) ?? "")]),
      [options.brandKit, siteName, library.fonts.kind],
      pinnedLogos.map(({ asset }) => asset.hash),
    ]),
  );
}

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import * as z from "zod";
import { sha256 } from "../base/hash.ts";
import { BUILD } from "../base/version.ts";
import { readCache, replaceCache, type CachePlace } from "../memory/cache.ts";
import type { BuiltPage, BuiltSite, RewriteSettings, RewrittenPage, SiteAsset } from "./model.ts";
import { findFiles } from "./find-files.ts";

/** A rewritten page without its HTML. */
export interface PageFacts extends Omit<RewrittenPage, "html" | "findInsert"> {
  /** Size of the HTML with placeholders for assets. */
  readonly bytes: number;
}

/**
 * Results of rewriting in an earlier run. A page with an unchanged file, in a site with unchanged files, addresses, and
 * settings, needn't be parsed again. A cache only: entries that are missing, damaged, or from another version are
 * recreated.
 */
export interface PageCache {
  find(page: BuiltPage): PageFacts | undefined;
  note(page: BuiltPage, facts: PageFacts): void;
  /** Saves what was noted for the next run, if it changed. */
  save(): void;
}

interface Entry extends Omit<PageFacts, "assets"> {
  /** SHA-256 of the source file of the page. */
  readonly source: string;
  readonly assets: readonly string[];
}

interface Content {
  /** By hash, since pages share them. */
  readonly assets: Readonly<Record<string, SiteAsset>>;
  /** By file. */
  readonly pages: Readonly<Record<string, Entry>>;
}

// The key ensures that this version of the program wrote the content, and the memory drops damaged entries.
const contentSchema = z.custom<Content>((value) => typeof value === "object" && value !== null && "pages" in value);

interface PageCacheSettings extends RewriteSettings {
  readonly maxPageBytes: number | undefined;
  /** Whether a page that is too large can link its style sheets. */
  readonly canLinkStyles: boolean;
}

/** Derives the key from everything that a rewritten page depends on besides its own file. */
export function pageCacheKey(site: BuiltSite, settings: PageCacheSettings): string {
  const { root, origin, base, assetsDir, isWithoutSlashes, onDemand, pages, files } = site;
  const { slugs, pageHref, pageUrl, ...rest } = settings;
  return sha256(
    JSON.stringify([
      programVersion(),
      [root, origin, base, assetsDir, isWithoutSlashes, onDemand.map(({ regex, type }) => [regex, type])],
      pages.map(({ route, file, kind, redirectTo, redirectStatus }) => [route, file, kind, redirectTo, redirectStatus]),
      [...files].map(([path, { hash }]) => [path, hash]),
      [...slugs],
      [pageHref("slug"), pageUrl?.("slug")],
      rest,
    ]),
  );
}

/**
 * Opens the cache of a project; an unusable one is empty.
 *
 * @param key from `pageCacheKey`
 */
export function openPageCache(place: CachePlace, key: string): PageCache {
  const known = contentSchema.safeParse(readCache(place).get(key)).data;
  const pages = new Map<string, { readonly source: string; readonly facts: PageFacts }>();
  let isNew = false;

  return {
    find(page) {
      const noted = pages.get(page.file);
      if (noted !== undefined) return noted.facts;
      const facts = known === undefined ? undefined : findFacts(known, page);
      if (facts !== undefined) pages.set(page.file, { source: page.hash, facts });
      return facts;
    },
    note(page, facts) {
      if (pages.get(page.file)?.facts === facts) return;
      pages.set(page.file, { source: page.hash, facts });
      isNew = true;
    },
    save() {
      if (!isNew) return;
      isNew = false;
      replaceCache(place, new Map([[key, contentOf(pages)]]));
    },
  };
}

function findFacts(known: Content, page: BuiltPage): PageFacts | undefined {
  const entry = known.pages[page.file];
  if (entry === undefined || entry.source !== page.hash) return undefined;
  const assets = entry.assets.map((hash) => known.assets[hash]).filter((asset) => asset !== undefined);
  if (assets.length < entry.assets.length) return undefined;
  const { source: _, ...facts } = entry;
  return { ...facts, description: facts.description, assets };
}

function contentOf(pages: ReadonlyMap<string, { readonly source: string; readonly facts: PageFacts }>): Content {
  const assets: Record<string, SiteAsset> = {};
  const entries: Record<string, Entry> = {};
  for (const [file, { source, facts }] of pages) {
    for (const asset of facts.assets) assets[asset.hash] ??= asset;
    entries[file] = { ...facts, source, assets: facts.assets.map(({ hash }) => hash) };
  }
  return { assets, pages: entries };
}

/** Identifies the program in cache keys, so that another version's results aren't used. */
export function programVersion(): string {
  return BUILD ?? (sourcesHash ??= hashSources());
}

let sourcesHash: string | undefined;

function hashSources(): string {
  const folder = fileURLToPath(new URL("../", import.meta.url));
  return sha256(
    findFiles(folder)
      .map((path) => readFileSync(join(folder, path), "utf8"))
      .join("\n"),
  );
}

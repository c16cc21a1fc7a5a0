import * as z from "zod";
import { sha256 } from "../base/hash.ts";
import { readCache, replaceCache, type CachePlace } from "../memory/cache.ts";
import { assetSchema } from "./asset-schema.ts";
import type { BuiltPage, BuiltSite, RewriteSettings, RewrittenPage } from "./model.ts";
import { programVersion } from "./program-version.ts";

/** What a rewritten page is, without its HTML. */
export interface PageFacts extends Omit<RewrittenPage, "html"> {
  /** Size of the HTML with placeholders. */
  readonly bytes: number;
}

/**
 * What rewriting gave in an earlier run. A page whose file has the same bytes, in a site whose files, addresses and
 * settings are the same, need not be parsed again to know what it becomes. Not the truth: what is missing, damaged or
 * from another version is made again.
 */
export interface PageCache {
  find(page: BuiltPage): PageFacts | undefined;
  note(page: BuiltPage, facts: PageFacts): void;
  /** Keeps what was noted for the next run, if it is new. */
  save(): void;
}

const entrySchema = z.object({
  /** SHA-256 of the file that the page was made from. */
  source: z.string(),
  hash: z.string(),
  bytes: z.number(),
  title: z.string(),
  description: z.string().optional(),
  hasScripts: z.boolean(),
  assets: z.array(z.string()),
  warnings: z.array(
    z.object({
      code: z.string(),
      file: z.string(),
      line: z.number().exactOptional(),
      message: z.string(),
      of: z.literal("site").exactOptional(),
    }),
  ),
});

const contentSchema = z.object({
  /** By hash: pages share them. */
  assets: z.record(z.string(), assetSchema),
  /** By file. */
  pages: z.record(z.string(), entrySchema),
});

type Content = z.infer<typeof contentSchema>;

export interface PageCacheSettings extends RewriteSettings {
  readonly maxPageBytes: number | undefined;
  /** Whether a page that is too large can link its stylesheets. */
  readonly canLinkStyles: boolean;
}

/** Names all that a rewritten page depends on beside its own file. */
export async function pageCacheKey(site: BuiltSite, settings: PageCacheSettings): Promise<string> {
  const { root, origin, base, assetsDir, pages, files } = site;
  const { slugs, pageHref, pageUrl, ...rest } = settings;
  return sha256(
    JSON.stringify([
      await programVersion(),
      [root, origin, base, assetsDir],
      pages.map(({ route, file, kind, redirectTo }) => [route, file, kind, redirectTo]),
      [...files].map(([path, { hash }]) => [path, hash]),
      [...slugs],
      [pageHref("slug"), pageUrl?.("slug")],
      rest,
    ]),
  );
}

/**
 * Opens a cache of a project; an unusable one is empty.
 *
 * @param key from `pageCacheKey`
 */
export function openPageCache(place: CachePlace, key: string): PageCache {
  const known = contentSchema.safeParse(readCache(place).get(key)).data;
  const pages = new Map<string, { readonly source: string; readonly facts: PageFacts }>();
  let isNew = false;

  return {
    find(page) {
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
  const { hash, bytes, title, description, hasScripts, warnings } = entry;
  return { hash, bytes, title, description, hasScripts, assets, warnings };
}

function contentOf(pages: ReadonlyMap<string, { readonly source: string; readonly facts: PageFacts }>): Content {
  const assets: Content["assets"] = {};
  const entries: Content["pages"] = {};
  for (const [file, { source, facts }] of pages) {
    for (const asset of facts.assets) assets[asset.hash] ??= asset;
    const { hash, bytes, title, description, hasScripts, warnings } = facts;
    const used = facts.assets.map((asset) => asset.hash);
    const text = { title, description, hasScripts, warnings: [...warnings] };
    entries[file] = { source, hash, bytes, assets: used, ...text };
  }
  return { assets, pages: entries };
}

import { isHiddenStatus } from "../contract/dialect.ts";
import { findPreviewName } from "../contract/slug.ts";
import type { Page } from "../client/api.ts";
import type { DesiredPage } from "./desired.ts";
import type { KnownPage, SeeContext, SeenPage } from "./known-pages.ts";

// A run without a memory of its own recognizes pages that the site no longer has by their marker, which is also in
// pages that people copied or renamed in the service's dashboard.

/**
 * Returns a test for pages that a run which deletes pages has to read, although neither the site nor the lock file has
 * them: the lock file may be older than they are. A page that is older than all of the project's isn't one of them.
 */
export function findUnknown({ prunes, state, locked, listed }: SeeContext): (record: Page) => boolean {
  if (!prunes || locked === undefined || state.otherPages !== undefined) return () => false;
  const times = listed.flatMap(({ slug, createdAt }) => (locked.pages[slug] === undefined ? [] : (createdAt ?? [])));
  const oldest = Math.min(...times.map((time) => time.getTime()));
  return ({ createdAt }) => createdAt === undefined || times.length === 0 || createdAt.getTime() >= oldest;
}

/**
 * Marks pages with our marker that the site doesn't have and that somebody may have copied or renamed: their marker
 * doesn't have their slug, they are hidden, have another title than their HTML, or the title or content of a page that
 * the site has.
 */
export function markCopies(
  pages: readonly KnownPage[],
  { seen, wanted }: { readonly seen: readonly SeenPage[]; readonly wanted: ReadonlyMap<string, DesiredPage> },
): readonly KnownPage[] {
  const read = seen.filter((page) => page.kind === "read");
  const unremembered = new Set(read.flatMap(({ record, memory }) => (memory === undefined ? [record.slug] : [])));
  if (unremembered.size === 0) return pages;
  const titles = new Map(read.map(({ record, title }) => [record.slug, title]));
  const publishedAs = new Map(read.map(({ record, marker }) => [record.slug, marker?.slug]));
  const own = pages.filter(({ slug, origin }) => origin === "ours" && wanted.has(slug));
  const hashes = new Set(own.map(({ hash }) => hash));
  const ownTitles = new Set(own.map(({ slug }) => titles.get(slug) ?? wanted.get(slug)?.title));
  const keepsTitles = own.some(({ slug, record }) => record.title !== undefined && record.title === titles.get(slug));
  return pages.map((page) => {
    const { slug, origin, hash, record } = page;
    if (origin !== "ours" || wanted.has(slug) || !unremembered.has(slug)) return page;
    const title = titles.get(slug);
    const isRetitled = keepsTitles && record.title !== undefined && record.title !== title;
    // Only imprint gives pages a preview's slugs.
    const of = publishedAs.get(slug) ?? (findPreviewName(slug) === undefined ? undefined : slug);
    if (of !== slug) return { ...page, mayBeCopy: { of } };
    const mayBeCopy = isHiddenStatus(record.status) || isRetitled || ownTitles.has(title) || hashes.has(hash);
    return mayBeCopy ? { ...page, mayBeCopy: {} } : page;
  });
}

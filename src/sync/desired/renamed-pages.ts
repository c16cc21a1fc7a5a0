import { mapPool } from "../../base/pool.ts";
import type { BuiltPage, BuiltSite, RewriteSettings } from "../../site/model.ts";
import { readSiteText } from "../../site/read-file.ts";
import { renderRedirectPage } from "../../site/redirect-page.ts";
import { desirePage, type DesiredPage } from "../desired.ts";
import { readHtml } from "../seen.ts";
import type { Lock } from "../lock.ts";
import type { Run } from "../run.ts";
import type { NamedPages } from "./build-pages.ts";
import type { ExtraPages } from "./extra-pages.ts";

/** Previous slugs of renamed pages, with the routes of these pages. */
export type FormerSlugs = NonNullable<Lock["redirects"]>;

interface RenameContext {
  readonly run: Run;
  readonly published: readonly BuiltPage[];
  readonly names: NamedPages;
  /** The desired pages. */
  readonly pages: readonly DesiredPage[];
  /** Targets of pages that only redirect, by route. */
  readonly targets: ExtraPages["targets"];
  /** Pages that are omitted because their posts are on hold, by route. */
  readonly held: Readonly<Record<string, unknown>>;
}

/**
 * Finds the slugs that redirect to renamed pages: those of earlier runs, those changed in the options, and those of
 * pages that this build has at another route. Excludes slugs that a page uses itself, or whose page is gone; those of
 * pages on hold are remembered, although they don't redirect.
 */
export async function findFormerSlugs(built: BuiltSite, context: RenameContext): Promise<FormerSlugs> {
  const { run, published, names, targets, held } = context;
  const { lock } = run.memory;
  if (run.request.preview !== undefined) return {};
  const wanted = new Set(names.slugs.values());
  const renames = await findRenames(built, { ...context, wanted });
  const former = [
    ...Object.entries(lock.redirects ?? {}),
    ...names.moved.map(({ from, route }) => [from, route] as const),
    ...[...renames].map(([before, route]) => [lock.slugs[before] ?? "", route] as const),
  ].map(([slug, route]) => [slug, renames.get(route) ?? followRedirect(route, targets)] as const);
  const routes = new Set([...published.map(({ route }) => route), ...Object.keys(held)]);
  return Object.fromEntries(former.filter(([slug, route]) => !wanted.has(slug) && routes.has(route)));
}

function followRedirect(route: string, targets: ExtraPages["targets"]): string {
  const target = targets.get(route);
  return target?.kind === "page" ? target.page.route : route;
}

const READS_AT_ONCE = 8;
// Avoids comparing every new page to pages that the site lost long ago and that are still on the service.
const FEW_PAGES = 20;

/** Finds the current routes of pages by their previous ones: they have the same title and text. */
async function findRenames(
  site: BuiltSite,
  context: RenameContext & { readonly wanted: ReadonlySet<string> },
): Promise<ReadonlyMap<string, string>> {
  const { run, published, names, wanted } = context;
  const { lock, state, locked } = run.memory;
  const isRemembered = (slug: string): boolean => (state.pages[slug] ?? locked?.pages[slug]) !== undefined;
  const isFormer = (slug: string): boolean => lock.redirects?.[slug] !== undefined;
  const built = new Set([...site.pages.map(({ route }) => route), ...(lock.postPages ?? [])]);
  const gone = Object.entries(lock.slugs).filter(
    ([route, slug]) => !built.has(route) && !wanted.has(slug) && isRemembered(slug) && !isFormer(slug),
  );
  const fresh = published.filter(({ route }) => {
    const slug = names.slugs.get(route) ?? "";
    return !isRemembered(slug) || isFormer(slug);
  });
  if (gone.length === 0 || fresh.length === 0 || gone.length > Math.max(FEW_PAGES, 2 * fresh.length)) return new Map();
  const { findPageText } = await import("../../site/page-text.ts");
  const after = groupByText(
    withTwins(fresh, context).map(({ route, file }) => [route, findPageText(readSiteText(site.root, file))] as const),
  );
  const isFresh = new Set(fresh.map(({ route }) => route));
  const texts = await mapPool(gone, READS_AT_ONCE, async ([route, slug]) => {
    return [route, findPageText((await readHtml(slug, run.api)) ?? "")] as const;
  });
  return new Map(
    [...groupByText(texts)].flatMap(([text, [route = "", ...others]]) => {
      const [now, ...more] = after.get(text) ?? [];
      const isCertain = others.length === 0 && more.length === 0;
      return now !== undefined && isFresh.has(now) && isCertain ? [[route, now]] : [];
    }),
  );
}

/** Adds pages that may be equal to a new one, as in another language, which makes a match uncertain. */
function withTwins(
  fresh: readonly BuiltPage[],
  { published, pages }: Pick<RenameContext, "published" | "pages">,
): readonly BuiltPage[] {
  const titles = new Map(pages.map(({ route, title }) => [route, title]));
  const wanted = new Set(fresh.map(({ route }) => titles.get(route)));
  return published.filter(({ route }) => wanted.has(titles.get(route)));
}

function groupByText(pages: readonly (readonly [string, string | undefined])[]): ReadonlyMap<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const [route, text] of pages) if (text !== undefined) groups.set(text, [...(groups.get(text) ?? []), route]);
  return groups;
}

/** Creates the pages at former slugs, which redirect to the current addresses. */
export function desireFormerPages(
  former: FormerSlugs,
  {
    pages,
    pageHref,
    pageUrl,
  }: Pick<RewriteSettings, "pageHref" | "pageUrl"> & { readonly pages: readonly DesiredPage[] },
): readonly DesiredPage[] {
  const byRoute = new Map(pages.map((page) => [page.route, page]));
  return Object.entries(former).flatMap(([slug, route]) => {
    const page = byRoute.get(route);
    if (page === undefined) return [];
    const { title, file } = page;
    const href = pageHref(page.slug);
    const { html, hash } = renderRedirectPage({ title, href, canonical: pageUrl?.(page.slug) });
    const facts = {
      title,
      description: undefined,
      hash,
      parts: ["redirects"] as const,
      hasRouteMap: false,
      assets: [],
      warnings: [],
    };
    const place = {
      slug,
      route: `/${slug}/`,
      file,
      redirect: { kind: "renamed", to: route, slug: page.slug, href } as const,
    };
    return [desirePage({ ...facts, bytes: Buffer.byteLength(html) }, { ...place, render: async () => ({ html }) })];
  });
}

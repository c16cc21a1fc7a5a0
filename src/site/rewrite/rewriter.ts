import { findAttribute } from "../../html/attributes.ts";
import { applyEdits, type Edit } from "../../html/edits.ts";
import { setMarker, UNSET_MARKER } from "../../html/marker.ts";
import { renderHtml } from "../../html/page-html.ts";
import { partsOf } from "../../html/page-parts.ts";
import { parseHtml } from "../../html/parse.ts";
import { findChild, visitElements, type HtmlDocument } from "../../html/tree.ts";
import type { BuiltPage, BuiltSite, RewriteSettings, RewrittenPage } from "../model.ts";
import { readSiteText } from "../read-file.ts";
import { keepWrittenPaths } from "./active-links.ts";
import { rewriteImportMap } from "./import-map.ts";
import { createPageDraft, isHidden, type PageDraft } from "./page-draft.ts";
import { findScripts } from "./page-scripts.ts";
import { findSearch, renderSearchPage } from "./pagefind.ts";
import { rewritePolicies } from "./policy.ts";
import { rewriteElement } from "./rules.ts";
import { renderSprites, useSprites } from "./sprites.ts";
import { addRouteMap } from "./route-map.ts";
import { createCharacterSet } from "./used-characters.ts";
import { createRewriteContext, type RewriteContext, type RewrittenPart } from "./context.ts";

interface Rewriter {
  /**
   * Rewrites one page for publishing. Reads the page and the files it uses. Deterministic.
   *
   * Throws `PAGE_UNREADABLE`, and with `strict` also `ASSET_MISSING` for a broken address.
   */
  rewrite(page: BuiltPage): RewrittenPage;
}

/**
 * Rewrites the pages of a site to be published elsewhere. Every page is edited in place: everything but addresses keeps
 * its bytes. What pages share (style sheets, scripts, file hashes) is computed once.
 */
export function createRewriter(site: BuiltSite, settings: RewriteSettings): Rewriter {
  const context: RewriteContext = {
    ...createRewriteContext(site, settings),
    rewritePart: (page, html) =>
      html === undefined
        ? rewritePart(readSiteText(site.root, page.file), { page, context }, ignoreRoutes)
        : rewritePart(html, { page, context }, addRouteMap),
  };
  const search = findSearch(context);
  return {
    rewrite(page) {
      if (search !== undefined && page.file === search.page.file) return renderSearchPage(search, context);
      return sealPage(rewriteHtml(page.html ?? readSiteText(site.root, page.file), { page, context }));
    },
  };
}

interface PagePlace {
  readonly page: BuiltPage;
  readonly context: RewriteContext;
}

function rewriteHtml(html: string, { page, context }: PagePlace, addRoutes = addRouteMap) {
  const document = parseHtml(html);
  const draft = createPageDraft(context, page, {
    html,
    baseFile: findBaseFile(document, { html, page, context }),
  });
  visitElements(document, (element, place) => rewriteElement(element, draft, place));
  if (draft.afterwards.length > 0) {
    const hasCharacter = createCharacterSet(draft, document);
    for (const work of draft.afterwards) work(hasCharacter);
  }
  useSprites(
    draft,
    findScripts(draft).flatMap(({ sprites }) => sprites),
  );
  draft.edits.push(...renderSprites(draft, findBodyEnd(document, html)));
  keepWrittenPaths(draft, document);
  const headStart = findMarkerPlace(document);
  addRoutes(draft, headStart);
  rewriteImportMap(draft, headStart);
  rewritePolicies(draft);
  return { draft, headStart };
}

/** Embedded pages get no marker. Scripts of a page that reads such a part don't know about routes. */
function rewritePart(html: string, place: PagePlace, addRoutes: typeof addRouteMap): RewrittenPart {
  const { draft } = rewriteHtml(html, place, addRoutes);
  const { assets, ...rest } = draft;
  const edits = [...draft.edits, ...removeOwnElements(draft)];
  const { find } = place.context.inserts;
  return {
    ...rest,
    html: renderHtml({ html: applyEdits(html, edits), findInsert: find }),
    assets: [...assets.values()],
  };
}

function ignoreRoutes(): void {}

const NOINDEX = '<meta name="robots" content="noindex">';

/** The hash excludes the marker, which contains it. */
function sealPage({ draft, headStart: place }: ReturnType<typeof rewriteHtml>): RewrittenPage {
  const { facts, page, context, contained, scriptFiles } = draft;
  const marker = { start: place, end: place, text: UNSET_MARKER };
  const hiding = { start: place, end: place, text: NOINDEX };
  const edits = [marker, ...(isHidden(draft) ? [hiding] : []), ...draft.edits, ...removeOwnElements(draft)];
  return {
    ...setMarker({ html: applyEdits(draft.html, edits), findInsert: draft.context.inserts.find }),
    title: facts.get("title") ?? facts.get("og-title") ?? facts.get("heading") ?? page.route,
    description: facts.get("description") ?? facts.get("og-description"),
    parts: partsOf(context.settings.noindex === true ? draft.html + NOINDEX : draft.html),
    hasRouteMap: facts.has("route-map"),
    assets: [...draft.assets.values()],
    warnings: draft.warnings,
    ...(scriptFiles.length === 0 ? {} : { scriptFiles }),
    ...(contained.size === 0 ? {} : { contained: [...contained] }),
  };
}

/** Removes what an earlier run added to a page that was published before. */
function removeOwnElements(draft: PageDraft): readonly Edit[] {
  const own = [...(draft.kept.get("marker") ?? []), ...(draft.kept.get("route-map") ?? [])];
  return own.flatMap(({ source }) =>
    source === undefined ? [] : [{ start: source.start, end: source.end, text: "" }],
  );
}

/**
 * Returns the base of a page's relative addresses as a path below the dist folder: the page itself or its `<base>`.
 * Returns `undefined` if that is on another site.
 */
function findBaseFile(
  document: HtmlDocument,
  { html, page, context }: { readonly html: string; readonly page: BuiltPage; readonly context: RewriteContext },
): string | undefined {
  if (!/<base\s/i.test(html)) return page.file;
  const addresses: string[] = [];
  visitElements(document, (element, { inert }) => {
    const address = element.tagName === "base" && !inert ? findAttribute(element, "href") : undefined;
    if (address !== undefined) addresses.push(address);
  });
  const [address] = addresses;
  if (address === undefined) return page.file;
  // A page that was published before has a published address here.
  const { slugs, pageHref } = context.settings;
  const known = [...slugs].find(([, slug]) => pageHref(slug) === address);
  return context.addresses.relativeFrom(
    known === undefined ? address : context.site.base + known[0].slice(1),
    page.file,
  );
}

/**
 * Position of the marker: right after the character set declaration, which must be near the start, or else at the start
 * of the head. There it doesn't affect how the rest of the page is parsed.
 */
function findMarkerPlace({ root, doctypeEnd }: HtmlDocument): number {
  const head = findChild(root, () => true);
  const charset =
    head && findChild(head, (element) => element.tagName === "meta" && findAttribute(element, "charset") !== undefined);
  return charset?.source?.end ?? head?.source?.contentStart ?? root.source?.contentStart ?? doctypeEnd ?? 0;
}

/** Position at the end of the visible page where content can be added. */
function findBodyEnd({ root }: HtmlDocument, html: string): number {
  const body = findChild(root, ({ tagName }) => tagName === "body");
  return body?.source?.endTagStart ?? root.source?.endTagStart ?? html.length;
}

import { sha256 } from "../../base/hash.ts";
import { applyEdits, type Edit } from "../../html/edits.ts";
import { renderMarker } from "../../html/marker.ts";
import { parseHtml } from "../../html/parse.ts";
import { visitElements, type HtmlDocument } from "../../html/tree.ts";
import type { BuiltPage, BuiltSite, RewriteSettings, RewrittenPage } from "../model.ts";
import { readSiteText } from "../read-file.ts";
import { findBaseFile } from "./base-file.ts";
import { rewriteImportMap } from "./import-map.ts";
import { findBodyEnd, findMarkerPlace } from "./page-places.ts";
import { createPageDraft, type PageDraft } from "./page-draft.ts";
import { rewritePolicies } from "./policy.ts";
import { rewriteElement } from "./rewrite-element.ts";
import { renderSprites } from "./sprites.ts";
import { createCharacterSet } from "./used-characters.ts";
import { createWorkshop, type Workshop } from "./workshop.ts";

export interface Rewriter {
  /**
   * Makes one page ready to be published. Reads the page and the files it uses; the same page always gives the same.
   *
   * Throws `PAGE_UNREADABLE`, and with `strict` `ASSET_MISSING` for an address that leads nowhere.
   */
  rewrite(page: BuiltPage): RewrittenPage;
}

/**
 * Makes the pages of a site ready to be published elsewhere. Every page is edited in place: what is not an address
 * keeps its bytes. What pages share (stylesheets, scripts, hashes of files) is worked out once.
 */
export function createRewriter(site: BuiltSite, settings: RewriteSettings): Rewriter {
  const shop = createWorkshop(site, settings);
  return {
    rewrite(page) {
      return rewriteHtml(readSiteText(site.root, page.file), { page, shop });
    },
  };
}

function rewriteHtml(
  html: string,
  { page, shop }: { readonly page: BuiltPage; readonly shop: Workshop },
): RewrittenPage {
  const document = parseHtml(html);
  const draft = createPageDraft(shop, page, { html, baseFile: findBaseFile(document, { html, page, shop }) });
  visitElements(document, (element, place) => rewriteElement(element, draft, place));
  if (draft.afterwards.length > 0) {
    const hasCharacter = createCharacterSet(draft, document);
    for (const work of draft.afterwards) work(hasCharacter);
  }
  draft.edits.push(...renderSprites(draft, findBodyEnd(document, html)));
  rewriteImportMap(draft, findMarkerPlace(document));
  rewritePolicies(draft);
  return sealPage(draft, document);
}

const SCRIPT = /<script(?![^>]*type=["']?(?:application\/|text\/(?:plain|template)|speculationrules|importmap))[\s>]/i;

/** The hash is taken without the marker, which holds it. */
function sealPage(draft: PageDraft, document: HtmlDocument): RewrittenPage {
  const { facts, page } = draft;
  const place = findMarkerPlace(document);
  const edits = [...hideFromSearch(draft, place), ...draft.edits, ...removeMarkers(draft)];
  const hash = sha256(applyEdits(draft.html, edits));
  return {
    html: applyEdits(draft.html, [{ start: place, end: place, text: renderMarker(hash) }, ...edits]),
    hash,
    title: facts.get("title") ?? facts.get("og-title") ?? facts.get("heading") ?? page.route,
    description: facts.get("description") ?? facts.get("og-description"),
    hasScripts: SCRIPT.test(draft.html),
    assets: [...draft.assets.values()],
    warnings: draft.warnings,
  };
}

function hideFromSearch({ shop }: PageDraft, place: number): readonly Edit[] {
  return shop.settings.noindex === true
    ? [{ start: place, end: place, text: '<meta name="robots" content="noindex">' }]
    : [];
}

function removeMarkers(draft: PageDraft): readonly Edit[] {
  return (draft.kept.get("marker") ?? []).flatMap(({ source }) =>
    source === undefined ? [] : [{ start: source.start, end: source.end, text: "" }],
  );
}

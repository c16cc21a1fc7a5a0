import { ownText } from "../../base/own-text.ts";
import { dropAttribute, editAttribute } from "../../html/attributes.ts";
import { createLineFinder, type Edit, type FindLine } from "../../html/edits.ts";
import type { ElementPlace, HtmlElement } from "../../html/tree.ts";
import { renderPlaceholder } from "../../html/placeholders.ts";
import type { BuiltPage, SiteAsset, SiteWarning } from "../model.ts";
import type { RewriteContext } from "./context.ts";
import type { PlacedAsk, Script } from "./scripts.ts";
import type { HasCharacter } from "./style-sheets.ts";
import type { TextPlace } from "./text-context.ts";

/** An inline script or style of the published page. */
interface InlineText {
  readonly directive: "script-src" | "style-src";
  readonly text: string;
  /** Its text in the built page, whose policy may block it; `undefined` if we add it. */
  readonly original?: string;
}

/**
 * A page while it is rewritten. Each kind of place (links, images, scripts, …) adds what it found and what it changes;
 * the page is assembled once all have run.
 */
export interface PageDraft {
  readonly context: RewriteContext;
  readonly page: BuiltPage;
  readonly html: string;
  readonly findLine: FindLine;
  /** Base of relative addresses, as a path below the dist folder; `undefined` if it is on another site. */
  readonly baseFile: string | undefined;
  readonly edits: Edit[];
  readonly assets: Map<string, SiteAsset>;
  /** Hashes of the assets that its scripts fetch through the route map. */
  readonly fetched: Set<string>;
  /** HTML files that are embedded for its scripts. */
  readonly contained: Set<string>;
  /** Script files that `src` attributes contain. */
  readonly scriptFiles: { readonly name: string; readonly bytes: number }[];
  readonly warnings: SiteWarning[];
  /** Warnings already reported about the site's files, which a page may use in several places. */
  readonly reported: Set<string>;
  /** Addresses in attributes that scripts may request. */
  readonly asks: PlacedAsk[];
  /** The page's inline and classic scripts. */
  readonly scripts: Script[];
  /** Files of the modules that the page loads. */
  readonly modules: Set<string>;
  /** Modules that scripts may import by address rather than by name. */
  readonly modulesByAddress: Set<string>;
  /** Inline scripts and styles in their final form, for the content security policy. */
  readonly inlineTexts: InlineText[];
  /** Metadata of the page; the first value of each name wins. */
  readonly facts: Map<PageFact, string>;
  /** Elements that are processed once the rest of the page is known. */
  readonly kept: Map<KeptElement, HtmlElement[]>;
  /** Parts of drawings that it shows, with their IDs in the page, by file. */
  readonly sprites: Map<string, Map<string, string>>;
  /** Position of the first script or module hint: import maps must precede it. */
  scriptStart: number;
  /** Work that requires the whole page and its characters. */
  readonly afterwards: ((hasCharacter: HasCharacter) => void)[];
}

type KeptElement = "policy" | "import-map" | "marker" | "route-map";

/** Name of the metadata of a page with Astro's client router. */
export const CLIENT_ROUTER = "astro-view-transitions-enabled";

export type PageFact =
  | "title"
  | "og-title"
  | "heading"
  | "description"
  | "og-description"
  | "client-router"
  | "script-address"
  /** A style sheet is linked by a `data:` address. */
  | "style-address"
  | "data-names-pages"
  | "route-map"
  | "inline-media"
  /** Scripts fetch `data:` addresses. */
  | "inline-data";

export function createPageDraft(
  context: RewriteContext,
  page: BuiltPage,
  { html, baseFile }: { readonly html: string; readonly baseFile: string | undefined },
): PageDraft {
  return {
    context,
    page,
    html,
    findLine: createLineFinder(html),
    baseFile,
    edits: [],
    assets: new Map(),
    fetched: new Set(),
    contained: new Set(),
    scriptFiles: [],
    warnings: [],
    reported: new Set(),
    asks: [],
    scripts: [],
    modules: new Set(),
    modulesByAddress: new Set(),
    inlineTexts: [],
    facts: new Map(),
    kept: new Map(),
    sprites: new Map(),
    scriptStart: Number.POSITIVE_INFINITY,
    afterwards: [],
  };
}

export interface AttributePlace {
  readonly draft: PageDraft;
  readonly element: HtmlElement;
  readonly name: string;
}

/** Returns the new value of an attribute; `undefined`: unchanged. */
export type RewriteValue = (value: string, place: AttributePlace) => string | undefined;

export type RewriteElement = (element: HtmlElement, draft: PageDraft, place: ElementPlace) => void;

/** Changes the value of an attribute. Does nothing without a value, or if the element doesn't have the attribute. */
export function setAttribute(
  draft: PageDraft,
  element: HtmlElement,
  { name, value }: { readonly name: string; readonly value: string | undefined },
): void {
  const edit = value === undefined ? undefined : editAttribute(draft.html, element, { name, value });
  if (edit !== undefined) draft.edits.push(edit);
}

export function removeAttribute(draft: PageDraft, element: HtmlElement, name: string): void {
  const edit = dropAttribute(element, name);
  if (edit !== undefined) draft.edits.push(edit);
}

/** Clears the integrity hash of a file whose published bytes differ. */
export function dropIntegrity(draft: PageDraft, element: HtmlElement): void {
  setAttribute(draft, element, { name: "integrity", value: "" });
}

export function replaceElement(draft: PageDraft, element: HtmlElement, text: string): void {
  const { source } = element;
  if (source !== undefined) draft.edits.push({ start: source.start, end: source.end, text });
}

export function useAssets(draft: PageDraft, assets: readonly SiteAsset[]): void {
  for (const asset of assets) if (!draft.assets.has(asset.hash)) draft.assets.set(asset.hash, asset);
}

/** Records that the page needs an asset, and returns the placeholder for its address. */
export function useAsset(draft: PageDraft, asset: SiteAsset): string {
  useAssets(draft, [asset]);
  return renderPlaceholder(asset.hash);
}

export function keepElement(draft: PageDraft, name: KeptElement, element: HtmlElement): void {
  draft.kept.set(name, [...(draft.kept.get(name) ?? []), element]);
}

/** Records an element that the import map must precede. */
export function recordScriptStart(draft: PageDraft, element: HtmlElement): void {
  const start = element.source?.start;
  if (start !== undefined) draft.scriptStart = Math.min(draft.scriptStart, start);
}

/** Records metadata of a page, unless it was already recorded. */
export function recordFact(draft: PageDraft, name: PageFact, value: string): void {
  if (value !== "" && !draft.facts.has(name)) draft.facts.set(name, ownText(value));
}

export interface DraftWarning {
  readonly code: string;
  readonly message: string;
  readonly target?: string;
  readonly of?: "site";
  readonly isNotice?: true;
}

export function warn(draft: PageDraft, element: HtmlElement | undefined, warning: DraftWarning): void {
  const line = element === undefined ? undefined : lineOf(draft, element);
  const message = ownText(warning.message);
  draft.warnings.push({
    ...warning,
    message,
    file: draft.page.file,
    ...(line === undefined ? {} : { line }),
  });
}

/** The line where an element begins; `undefined` if it isn't in the source. */
export function lineOf(draft: PageDraft, { source }: HtmlElement): number | undefined {
  return source === undefined ? undefined : draft.findLine(source.start);
}

/** Source position of an element's text, for content that is rewritten separately. */
export function textPlaceOf(draft: PageDraft, element: HtmlElement): TextPlace {
  const { file } = draft.page;
  return { file, base: draft.baseFile, usedIn: file, firstLine: lineOf(draft, element) ?? 1 };
}

/** Warns about something that concerns the site rather than one page. */
export function warnOfSite(draft: PageDraft, element: HtmlElement | undefined, warning: DraftWarning): void {
  if (draft.reported.has(warning.message)) return;
  draft.reported.add(warning.message);
  warn(draft, element, { ...warning, of: "site" });
}

export function passWarnings(draft: PageDraft, warnings: readonly SiteWarning[]): void {
  for (const warning of warnings) {
    const key = `${warning.file}:${warning.line ?? 0} ${warning.message}`;
    const of = warning.file === draft.page.file ? {} : ({ of: "site" } as const);
    if (!draft.reported.has(key)) draft.warnings.push({ ...warning, ...of, message: ownText(warning.message) });
    draft.reported.add(key);
  }
}

/** Whether the page asks search engines not to index it, whatever it specified before. */
export function isHidden({ context, page }: PageDraft): boolean {
  return context.settings.noindex === true || page.kind === "redirect" || page.kind === "status";
}

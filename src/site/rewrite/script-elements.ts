import { escapeAttribute, findAttribute, renderAttributes } from "../../html/attributes.ts";
import { textDataAddress } from "../../html/placeholders.ts";
import { innerRange, type ElementPlace, type HtmlElement } from "../../html/tree.ts";
import { contentTypeOf, kindOf } from "../content-type.ts";
import { rewriteData, rewriteLinkedData, rewriteSpeculationRules } from "./data-blocks.ts";
import {
  CLIENT_ROUTER,
  dropIntegrity,
  keepElement,
  recordFact,
  recordScriptStart,
  replaceElement,
  setAttribute,
  textPlaceOf,
  useAssets,
  warn,
  type AttributePlace,
  type PageDraft,
} from "./page-draft.ts";
import { usesPagefind, warnOfSearch } from "./pagefind.ts";
import { isRouteMap } from "./route-map.ts";
import { useScript } from "./page-scripts.ts";
import { moduleKey } from "./script-files.ts";
import { findTarget, resolveTarget } from "./targets.ts";

export function rewriteScript(element: HtmlElement, draft: PageDraft, { inert }: ElementPlace): void {
  const type = (findAttribute(element, "type") ?? "").trim().toLowerCase();
  if (isRouteMap(element)) keepElement(draft, "route-map", element);
  else if (findAttribute(element, "data-island-id") !== undefined) dropServerIsland(element, draft);
  else if (type === "application/ld+json") rewriteLinkedData(element, draft);
  else if (type === "application/json") rewriteData(element, draft);
  else if (type === "speculationrules") rewriteSpeculationRules(element, draft);
  else if (TEMPLATE_TYPE.test(type)) rewriteTemplate(element, draft);
  else if (type === "importmap") keepElement(draft, "import-map", element);
  else if (
    type === "module" ||
    type === "" ||
    /^(?:text|application)\/(?:(?:x-)?(?:java|ecma)script|partytown)$/.test(type)
  ) {
    if (!inert) recordScriptStart(draft, element);
    const address = findAttribute(element, "src");
    if (address === undefined) rewriteInlineScript(element, draft);
    else if (type === "module") rewriteModule(element, draft, address);
    else rewriteClassicScript(element, draft, address);
  } else rewriteHeldScript(element, draft, type);
}

// `text/plain`, `opt-in`, `didomi/javascript`, `javascript/blocked`
const HELD_TYPE = /^text\/plain$|^opt-in$|javascript/;
// Prism shows such a text.
const SHOWN_CLASS = /(?:^|\s)lang(?:uage)?-/;

/**
 * A script that browsers don't run because of its type: a consent dialog makes a real one of it. Other types are data,
 * such as shaders, if they don't name a script.
 */
function rewriteHeldScript(element: HtmlElement, draft: PageDraft, type: string): void {
  const address = findAttribute(element, "src");
  const isFile = (written: string): boolean => findTarget(draft, written).kind === "file";
  if (address !== undefined) {
    if (isFile(address)) rewriteClassicScript(element, draft, address);
    return;
  }
  const kept = findAttribute(element, "data-src");
  // The attribute itself is rewritten like others that scripts read.
  const path = kept !== undefined && isFile(kept) ? findScriptFile(element, draft, kept) : undefined;
  if (path !== undefined) useScript(draft, draft.context.scripts.fromFile(path, draft.page.file));
  else if (HELD_TYPE.test(type) && !isShownText(element, draft)) rewriteInlineScript(element, draft);
}

function isShownText(element: HtmlElement, { html }: PageDraft): boolean {
  const { start, end } = innerRange(element) ?? { start: 0, end: 0 };
  return SHOWN_CLASS.test(findAttribute(element, "class") ?? "") || /^\s*</.test(html.slice(start, end));
}

const TEMPLATE_TYPE =
  /^(?:text|application)\/(?:html|template|x-[\w-]*template[\w-]*|x-handlebars|x-mustache|ng-template)$/;

/** Markup for scripts that insert it: like markup in a script. */
function rewriteTemplate(element: HtmlElement, draft: PageDraft): void {
  const range = innerRange(element);
  if (range === undefined) return;
  const text = draft.html.slice(range.start, range.end);
  const script = draft.context.scripts.fromText(text, textPlaceOf(draft, element));
  useScript(draft, script);
  if (script.text !== text) draft.edits.push({ ...range, text: script.text });
}

/**
 * A module file is imported by its name in the import map. Astro's client router waits for scripts with `src` before it
 * sends `astro:page-load`, but not for inline scripts that import something.
 */
function rewriteModule(element: HtmlElement, draft: PageDraft, address: string): void {
  const path = findScriptFile(element, draft, address);
  const { source } = element;
  const range = innerRange(element);
  if (path === undefined || source === undefined || range === undefined) return;
  const attributes = renderAttributes(draft.html, element, SOURCE_ONLY);
  const text = `import ${JSON.stringify(moduleKey(path))}`;
  draft.modules.add(path);
  if (draft.html.includes(CLIENT_ROUTER)) {
    const { address, assets } = draft.context.scripts.addressOf(path, draft.page.file);
    useAssets(draft, assets);
    const src = address.startsWith("data:") ? textDataAddress("text/javascript", text) : address;
    const start = `<script${attributes} src="${escapeAttribute(src)}">`;
    draft.edits.push({ start: source.start, end: range.start, text: start });
    return;
  }
  draft.edits.push({ start: source.start, end: range.start, text: `<script${attributes}>` });
  draft.edits.push({ start: range.start, end: range.end, text });
  draft.inlineTexts.push({ directive: "script-src", text });
}

const SOURCE_ONLY = new Set(["src", "crossorigin", "integrity", "referrerpolicy", "fetchpriority"]);

function rewriteClassicScript(element: HtmlElement, draft: PageDraft, address: string): void {
  const { scripts } = draft.context;
  const path = findScriptFile(element, draft, address);
  if (path === undefined) return;
  const { address: value, assets } = scripts.addressOf(path, draft.page.file);
  useAssets(draft, assets);
  useScript(draft, scripts.fromFile(path, draft.page.file));
  recordFact(draft, "script-address", path);
  if (value.startsWith("data:")) draft.scriptFiles.push({ name: `script ${path}`, bytes: Buffer.byteLength(value) });
  setAttribute(draft, element, { name: "src", value });
  dropIntegrity(draft, element);
}

function findScriptFile(element: HtmlElement, draft: PageDraft, address: string): string | undefined {
  const target = resolveTarget(draft, element, address);
  if (target.kind !== "file" || kindOf(contentTypeOf(target.path)) !== "script") return undefined;
  warnOfPagefind(element, draft, address);
  return target.path;
}

function rewriteInlineScript(element: HtmlElement, draft: PageDraft): void {
  const range = innerRange(element);
  if (range === undefined) return;
  const text = draft.html.slice(range.start, range.end);
  const script = draft.context.scripts.fromText(text, textPlaceOf(draft, element));
  warnAboutScript(element, draft, text);
  useScript(draft, script);
  draft.inlineTexts.push({ directive: "script-src", text: script.text, original: text });
  if (script.text !== text) draft.edits.push({ ...range, text: script.text });
}

const NAMES_ADDRESS = /["'`(](?:\.{0,2}\/|https?:)|\blocation(?:\.href\s*|\s*)=\s*["'`]|\bsrc\b["'`)\s]*\.replace\(/;

/** Rewrites `onclick` and the like, and the attributes in which Alpine, Vue, and htmx expect scripts. */
export function rewriteHandler(text: string, { element, draft }: AttributePlace): string | undefined {
  if (!NAMES_ADDRESS.test(text)) return undefined;
  const script = draft.context.scripts.fromText(text, textPlaceOf(draft, element));
  useScript(draft, script);
  if (script.text === text) return undefined;
  draft.inlineTexts.push({ directive: "script-src", text: script.text, original: text });
  return script.text;
}

/**
 * The script that fetches a server island would find nothing, and it differs in each build because its address is
 * re-encrypted.
 */
function dropServerIsland(element: HtmlElement, draft: PageDraft): void {
  const range = innerRange(element) ?? { start: 0, end: 0 };
  const [, name = ""] = /\/_server-islands\/([\w-]+)/.exec(draft.html.slice(range.start, range.end)) ?? [];
  const message = `The server island ${name} needs a running Astro server; the page shows its fallback.`;
  warn(draft, element, { code: "server-island", message });
  replaceElement(draft, element, "");
}

function warnAboutScript(element: HtmlElement, draft: PageDraft, text: string): void {
  warnOfPagefind(element, draft, text);
  if (text.includes("/_server-islands/")) {
    const message = "A server island needs a running Astro server; its fallback stays.";
    warn(draft, element, { code: "server-island", message });
  }
}

function warnOfPagefind(element: HtmlElement, draft: PageDraft, text: string): void {
  const lost = usesPagefind(text) ? warnOfSearch(draft.context) : undefined;
  if (lost !== undefined) warn(draft, element, lost);
}

/** A module of an `<astro-island>`, imported by its name. */
export function rewriteModuleAddress(address: string, { element, draft }: AttributePlace): string | undefined {
  if (address === "" || address.startsWith("@i/")) return undefined;
  const target = resolveTarget(draft, element, address);
  if (target.kind !== "file") return undefined;
  draft.modules.add(target.path);
  return moduleKey(target.path);
}

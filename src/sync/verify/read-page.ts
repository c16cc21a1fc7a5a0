import { sha256 } from "../../base/hash.ts";
import { findAttribute } from "../../html/attributes.ts";
import { findCssAddresses } from "../../html/css-addresses.ts";
import { replaceJsonStrings, findSrcsetAddresses } from "../../html/address-texts.ts";
import { parseHtml } from "../../html/parse.ts";
import { innerRange, textOf, visitElements, type HtmlElement } from "../../html/tree.ts";
import { META_FILE_NAMES } from "../../site/rewrite/head.ts";
import { fileAttributesOf } from "../../site/rewrite/rules.ts";
import { decodeComponent } from "../../base/decode-component.ts";
import { emojiOf, readRuns, UNSEEN } from "./word-runs.ts";

/** How a browser uses a file, as far as the reference shows. */
export type FileUse = "image" | "media" | "style" | "script" | "frame" | "any";

/** A file that a page or stylesheet loads. `address` is absolute and without a fragment. */
export interface FileReference {
  readonly address: string;
  readonly use: FileUse;
}

/** A link of a page. `address` is absolute and without a fragment. */
export interface LinkReference {
  readonly address: string;
  /** The decoded anchor; `undefined` for the page as a whole. */
  readonly anchor: string | undefined;
  /** Whether it is the target of a form that sends data. */
  readonly isPost: boolean;
  /** The visible text of a link; empty for a form. */
  readonly text: string;
}

/** A page as readers get it. */
export interface ReadPage {
  readonly title: string | undefined;
  /** The visible text, word by word. */
  readonly words: readonly string[];
  /** The same, also of words that elements divide, with a `BORDER` between their pieces. */
  readonly runs: readonly string[];
  /** Anchors that links can point to. */
  readonly anchors: ReadonlySet<string>;
  readonly files: readonly FileReference[];
  readonly links: readonly LinkReference[];
  /** Equal for pages that run the same scripts in the same layout. */
  readonly shape: string;
}

/** Reads the HTML of a page that was fetched from `address`. */
export function readPage(html: string, address: string): ReadPage {
  const document = parseHtml(html);
  const draft = createDraft(html, address);
  visitElements(document, (element, { inert }) => {
    if (element.tagName === "base" && !inert) setBase(draft, element);
  });
  visitElements(document, (element, { inert }) => {
    if (!inert) readText(element, draft);
    readIds(element, draft);
    readFiles(element, draft);
    readStyles(element, draft);
    readLinks(element, draft);
    readShape(element, draft);
  });
  const { title, words, anchors, files, links, shape } = draft;
  const runs = readRuns(document);
  return { title, words, runs, anchors, files, links, shape: sha256([...shape].toSorted().join("\n")) };
}

/** Finds the files that a stylesheet loads. */
export function readStyleSheet(css: string, address: string): readonly FileReference[] {
  const files: FileReference[] = [];
  for (const { kind, address: named } of findCssAddresses(css)) {
    const absolute = resolve(named, address);
    if (absolute !== undefined) files.push({ address: absolute, use: kind === "import" ? "style" : "any" });
  }
  return files;
}

interface Draft {
  readonly html: string;
  base: string;
  hasBase: boolean;
  title: string | undefined;
  readonly words: string[];
  readonly anchors: Set<string>;
  readonly files: FileReference[];
  readonly links: LinkReference[];
  readonly shape: Set<string>;
}

function createDraft(html: string, base: string): Draft {
  const found = { words: [], anchors: new Set<string>(), files: [], links: [], shape: new Set<string>() };
  return { html, base, hasBase: false, title: undefined, ...found };
}

function setBase(draft: Draft, element: HtmlElement): void {
  const href = findAttribute(element, "href");
  if (draft.hasBase || href === undefined) return;
  draft.base = URL.parse(href, draft.base)?.href ?? draft.base;
  draft.hasBase = true;
}

function readText(element: HtmlElement, draft: Draft): void {
  if (element.tagName === "title") draft.title ??= textOf(element);
  if (UNSEEN.has(element.tagName)) return;
  for (let node = element.firstChild; node !== undefined; node = node.next) {
    const text = node.kind === "text" ? node.value : node.kind === "element" ? emojiOf(node) : "";
    draft.words.push(...text.split(/\s+/).filter((word) => word !== ""));
  }
}

function readIds(element: HtmlElement, { anchors }: Draft): void {
  const id = findAttribute(element, "id");
  const name = element.tagName === "a" ? findAttribute(element, "name") : undefined;
  if (id !== undefined) anchors.add(id);
  if (name !== undefined) anchors.add(name);
}

const LINK_USES: readonly (readonly [rel: string, use: FileUse])[] = [
  ["stylesheet", "style"],
  ["icon", "image"],
  ["apple-touch-icon", "image"],
  ["mask-icon", "image"],
  ["modulepreload", "script"],
  ["manifest", "any"],
];
const PRELOAD_USES = new Map<string, FileUse>([
  ["image", "image"],
  ["style", "style"],
  ["script", "script"],
  ["video", "media"],
  ["audio", "media"],
]);
const ISLAND_MODULES = ["component-url", "renderer-url", "before-hydration-url"];

function readFiles(element: HtmlElement, draft: Draft): void {
  const { tagName } = element;
  for (const name of fileAttributesOf(tagName)) addFile(draft, findAttribute(element, name), useOf(tagName, name));
  if (tagName === "img" || tagName === "source") addSrcset(draft, findAttribute(element, "srcset"));
  if (tagName === "iframe" || tagName === "frame") addFile(draft, findAttribute(element, "src"), "frame");
  if (tagName === "use")
    addFile(draft, findAttribute(element, "href") ?? findAttribute(element, "xlink:href"), "image");
  if (tagName === "link") readHeadLink(element, draft);
  if (tagName === "meta") readMeta(element, draft);
  if (tagName === "script") readScript(element, draft);
  if (tagName !== "astro-island") return;
  for (const name of ISLAND_MODULES) addModule(draft, findAttribute(element, name));
}

function useOf(tagName: string, name: string): FileUse {
  if (name === "poster" || ["img", "image", "feimage", "input", "body"].includes(tagName)) return "image";
  return ["video", "audio", "source"].includes(tagName) ? "media" : "any";
}

function readHeadLink(element: HtmlElement, draft: Draft): void {
  const rel = (findAttribute(element, "rel") ?? "").toLowerCase().split(/\s+/);
  const href = findAttribute(element, "href");
  const [, use] = LINK_USES.find(([name]) => rel.includes(name)) ?? [];
  if (use !== undefined) return addFile(draft, href, use);
  if (!rel.includes("preload")) return;
  addFile(draft, href, PRELOAD_USES.get(findAttribute(element, "as")?.toLowerCase() ?? "") ?? "any");
  addSrcset(draft, findAttribute(element, "imagesrcset"));
}

function readMeta(element: HtmlElement, draft: Draft): void {
  const name = (findAttribute(element, "property") ?? findAttribute(element, "name") ?? "").toLowerCase();
  if (!META_FILE_NAMES.test(name)) return;
  addFile(draft, findAttribute(element, "content"), /image|logo|thumbnail/.test(name) ? "image" : "any");
}

const SCRIPT_TYPE = /^(?:module|(?:text|application)\/(?:javascript|ecmascript|x-javascript))?$/i;

function readScript(element: HtmlElement, draft: Draft): void {
  const type = findAttribute(element, "type")?.trim() ?? "";
  if (SCRIPT_TYPE.test(type)) return addFile(draft, findAttribute(element, "src"), "script");
  const range = type.toLowerCase() === "importmap" ? innerRange(element) : undefined;
  if (range === undefined) return;
  replaceJsonStrings(draft.html.slice(range.start, range.end), (text) => {
    addModule(draft, text);
    return undefined;
  });
}

function readStyles(element: HtmlElement, draft: Draft): void {
  const style = findAttribute(element, "style");
  if (style !== undefined && style.includes("url(")) draft.files.push(...readStyleSheet(style, draft.base));
  const range = element.tagName === "style" ? innerRange(element) : undefined;
  if (range !== undefined) draft.files.push(...readStyleSheet(draft.html.slice(range.start, range.end), draft.base));
}

function readLinks(element: HtmlElement, draft: Draft): void {
  const { tagName } = element;
  if (tagName === "a" || tagName === "area") {
    addLink(draft, findAttribute(element, "href") ?? findAttribute(element, "xlink:href"), { text: textOf(element) });
  }
  if (tagName === "form")
    addLink(draft, findAttribute(element, "action"), { method: findAttribute(element, "method") });
  if (tagName === "button" || tagName === "input") {
    addLink(draft, findAttribute(element, "formaction"), { method: findAttribute(element, "formmethod") });
  }
}

// Omits styles, because those inlined in a page are reduced to what the page uses.
function readShape(element: HtmlElement, { shape, html }: Draft): void {
  const { tagName, attrs } = element;
  if (tagName.includes("-")) shape.add(tagName);
  for (const { name, value } of attrs) {
    if (name.startsWith("data-astro-cid-")) shape.add(name);
    if (ISLAND_MODULES.includes(name) || name === "component-export") shape.add(`${name} ${value}`);
  }
  if (tagName !== "script" || !SCRIPT_TYPE.test(findAttribute(element, "type")?.trim() ?? "")) return;
  const range = innerRange(element);
  shape.add(findAttribute(element, "src") ?? (range === undefined ? "" : html.slice(range.start, range.end)));
}

function addFile(draft: Draft, named: string | undefined, use: FileUse): void {
  const address = named === undefined ? undefined : resolve(named, draft.base);
  if (address !== undefined) draft.files.push({ address, use });
}

// Other texts are bare specifiers, which an import map resolves.
function addModule(draft: Draft, named: string | undefined): void {
  if (named !== undefined && /^(?:\.{0,2}\/|https?:)/.test(named) && !named.endsWith("/")) {
    addFile(draft, named, "script");
  }
}

function addSrcset(draft: Draft, srcset: string | undefined): void {
  for (const { address } of srcset === undefined ? [] : findSrcsetAddresses(srcset)) addFile(draft, address, "image");
}

function addLink(
  draft: Draft,
  named: string | undefined,
  { method = "get", text = "" }: { readonly method?: string | undefined; readonly text?: string },
): void {
  const address = named === undefined ? undefined : resolve(named, draft.base, "link");
  if (named === undefined || address === undefined) return;
  const isPost = method.toLowerCase() === "post";
  draft.links.push({ address, anchor: anchorOf(named), isPost, text });
}

// `#/route` and `#!route` are for scripts, `:~:` is for the browser, and `#top` is the top of every page.
function anchorOf(named: string): string | undefined {
  const hash = named.indexOf("#");
  const fragment = hash === -1 ? "" : named.slice(hash + 1).trimEnd();
  if (fragment === "" || /^(?:[/!]|top$)|:~:/i.test(fragment)) return undefined;
  return decodeComponent(fragment);
}

// Braces belong to templates, which scripts fill in.
function resolve(named: string, base: string, kind: "file" | "link" = "file"): string | undefined {
  const text = named.trim();
  if (/[{}]/.test(text) || (kind === "file" && (text === "" || text.startsWith("#")))) return undefined;
  const url = URL.parse(text, base);
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined;
  url.hash = "";
  return url.href;
}

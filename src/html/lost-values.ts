import { decodeComponent } from "../base/decode-component.ts";
import { findAttribute } from "./attributes.ts";
import { parseHtml } from "./parse.ts";
import { HTML_NAMESPACE, textOf, visitElements, type HtmlElement } from "./tree.ts";

// A host may keep a kind of element and change some of them: a form that sends to somebody else, a picture without an
// address, a part of the styles. What it adds is its own.

/** What the elements of a page refer to and say. */
interface Values {
  readonly actions: Set<string>;
  readonly links: Set<string>;
  /** Links as written, decoded. */
  readonly written: Set<string>;
  readonly frames: Set<string>;
  /** How many elements of each kind there are: images with an address, scripts, modules, style sheets, redirects. */
  readonly counts: Map<string, number>;
  /** What each `<meta>` says, by its name. */
  readonly metas: Map<string, Set<string>>;
  readonly classes: Set<string>;
  readonly ids: Set<string>;
  /** The texts of style elements. */
  styles: string;
}

/** Names of `<meta>` that people read in search results and previews of links. */
const SAID = /^(?:description|(?:og|twitter):(?:title|description))$/;

/**
 * Returns what a page as shown has in another way than the page as sent: `<form action>`, `<a href>`, `<img src>`.
 * Parts of which it has nothing at all have names of their own, and aren't listed.
 *
 * @param address where the page is shown, against which relative addresses are resolved
 */
export function findLostValues(sent: string, shown: string, address: string): readonly string[] {
  const [before, after] = [readValues(sent, address), readValues(shown, address)];
  const count = ({ counts }: Values, name: string) => counts.get(name) ?? 0;
  const isFewer = (name: string, of: string) => count(after, of) > 0 && count(after, name) < count(before, name);
  const hasOwnScripts = count(after, "script") > count(before, "script");
  const hasOwnSheets = count(after, "sheet") > count(before, "sheet");
  return [
    ...(isLacking(before.actions, after.actions) && count(after, "form") > 0 ? ["<form action>"] : []),
    ...(after.links.size > 0 && hasLostLinks(before, after) ? ["<a href>"] : []),
    ...(isLacking(before.frames, after.frames) && count(after, "iframe") > 0 ? ["<iframe src>"] : []),
    // A script of the host may load images that come into view.
    ...(!hasOwnScripts && isFewer("image", "img") ? ["<img src>"] : []),
    ...(isFewer("module", "script") ? ['<script type="module">'] : []),
    ...[...before.metas].flatMap(([name, said]) => (isSaid(said, after.metas.get(name)) ? [] : [`its <meta> ${name}`])),
    ...(isRenamed(before.classes, after.classes) ? ["class"] : []),
    ...(isRenamed(before.ids, after.ids) ? ["id"] : []),
    ...(after.styles !== "" && !hasOwnSheets ? findLostStyles(before, after) : []),
  ];
}

/** Whether a host sends the readers of a page on to another one. */
export function leadsAway(sent: string, shown: string): boolean {
  if (!/http-equiv/i.test(shown)) return false;
  const [before, after] = [sent, shown].map((html) => readValues(html, "").counts.get("refresh") ?? 0);
  return (after ?? 0) > (before ?? 0);
}

function readValues(html: string, address: string): Values {
  const values: Values = {
    ...{
      actions: new Set(),
      links: new Set(),
      written: new Set(),
      frames: new Set(),
      counts: new Map(),
      metas: new Map(),
    },
    ...{ classes: new Set(), ids: new Set(), styles: "" },
  };
  const add = (name: string) => values.counts.set(name, (values.counts.get(name) ?? 0) + 1);
  visitElements(parseHtml(html), (element) => {
    const { tagName, namespaceURI } = element;
    const attribute = (name: string) => findAttribute(element, name) ?? "";
    for (const name of attribute("class").split(/\s+/)) if (name !== "") values.classes.add(name);
    if (attribute("id") !== "") values.ids.add(attribute("id"));
    if (namespaceURI !== HTML_NAMESPACE) return;
    add(tagName);
    const action = attribute("action");
    if (tagName === "form" && action !== "") values.actions.add(resolve(action, address));
    const href = attribute("href");
    if (tagName === "a" && href !== "" && !href.startsWith("#")) {
      values.links.add(resolve(href, address));
      values.written.add(decodeComponent(href).toLowerCase());
    }
    if (tagName === "iframe" && attribute("src") !== "") addFrame(element, { values, address });
    if (tagName === "img" && (attribute("src") !== "" || attribute("srcset") !== "")) add("image");
    if (tagName === "script" && /module$/i.test(attribute("type"))) add("module");
    if (tagName === "link" && /\bstylesheet\b/i.test(attribute("rel"))) add("sheet");
    if (tagName === "style") values.styles += `${textOf(element)}\n`;
    if (tagName === "meta") addMeta(element, values, add);
  });
  return values;
}

function addFrame(element: HtmlElement, { values, address }: { readonly values: Values; readonly address: string }) {
  const sandbox = findAttribute(element, "sandbox");
  const runs = sandbox === undefined || /\ballow-scripts\b/i.test(sandbox);
  values.frames.add(`${resolve(findAttribute(element, "src") ?? "", address)} ${runs ? "" : "without scripts"}`);
}

function addMeta(element: HtmlElement, { metas }: Values, add: (name: string) => void): void {
  const attribute = (name: string) => findAttribute(element, name) ?? "";
  if (/^refresh$/i.test(attribute("http-equiv")) && /;\s*\S/.test(attribute("content"))) add("refresh");
  const name = (attribute("property") || attribute("name")).toLowerCase();
  const said = plain(attribute("content"));
  if (SAID.test(name) && said !== "") metas.set(name, (metas.get(name) ?? new Set()).add(said));
}

function plain(text: string): string {
  return text
    .normalize("NFKC")
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim()
    .toLowerCase();
}

/** The address without its protocol, query and fragment; other kinds of addresses as they are. */
function resolve(written: string, address: string): string {
  const url = URL.parse(written, URL.canParse(address) ? address : "http://page.invalid/");
  if (url === null || !/^https?:$/.test(url.protocol)) return written.trim().toLowerCase();
  return `${url.host}${url.pathname.replace(/\/$/, "")}`;
}

function isLacking(before: ReadonlySet<string>, after: ReadonlySet<string>): boolean {
  return [...before].some((value) => !after.has(value));
}

/** Hosts hide addresses of people from robots, with links of their own. */
export const HIDES_PEOPLE = /\/cdn-cgi\/l\/email-protection|__cf_email__/;

// A host may count clicks: its address then contains the one that readers get to.
function hasLostLinks({ links: before }: Values, { links: after, written }: Values): boolean {
  const hidesPeople = [...written].some((link) => HIDES_PEOPLE.test(link));
  return [...before].some((link) => {
    if (after.has(link) || (hidesPeople && link.startsWith("mailto:"))) return false;
    const place = link.includes("/") ? link.slice(link.indexOf("/")) : link;
    return ![...written].some((each) => each.includes(decodeComponent(place).toLowerCase()));
  });
}

// The host may have a layout with its own title beside that of the page.
function isSaid(said: ReadonlySet<string>, shown: ReadonlySet<string> | undefined): boolean {
  return shown === undefined || [...said].every((text) => [...shown].some((each) => each.includes(text)));
}

/** Whether a host gives names of its own, such as `user-content-top`, to what style sheets, scripts and links refer to. */
function isRenamed(before: ReadonlySet<string>, after: ReadonlySet<string>): boolean {
  return after.size * 2 >= before.size && before.size > 0 && ![...before].some((name) => after.has(name));
}

// What a program that shortens style sheets keeps: at-rules, custom properties, and selectors of what the page has.
function findLostStyles(before: Values, after: Values): readonly string[] {
  const [sent, shown] = [namesInStyles(before), namesInStyles(after)];
  const lost = [...sent].filter((name) => !shown.has(name));
  return lost.length === 0 ? [] : [`styles (${lost.slice(0, 2).join(", ")})`];
}

function namesInStyles({ styles, classes, ids }: Values): ReadonlySet<string> {
  const names = new Set<string>();
  const css = styles.replace(/\/\*[\s\S]*?\*\//g, "");
  for (const [name] of css.matchAll(/@(?:media|supports|container|keyframes|font-face)\b/gi))
    names.add(name.toLowerCase());
  for (const [, name = ""] of css.matchAll(/(--[\w-]+)\s*:/g)) names.add(name);
  for (const [name, sign, word = ""] of css.matchAll(/([.#])([A-Za-z_][\w-]*)(?=[^{};]*\{)/g)) {
    if ((sign === "." ? classes : ids).has(word)) names.add(name);
  }
  return names;
}

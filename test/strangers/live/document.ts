import { parse, type DefaultTreeAdapterTypes } from "parse5";

type Node = DefaultTreeAdapterTypes.Node;
type ParentNode = DefaultTreeAdapterTypes.ParentNode;
type Element = DefaultTreeAdapterTypes.Element;

/** What a page shows and loads, according to its HTML. */
export interface PageFacts {
  readonly title: string;
  readonly text: string;
  readonly links: readonly string[];
  readonly ids: ReadonlySet<string>;
  readonly images: readonly string[];
  readonly sourceSets: readonly string[];
  readonly icons: readonly string[];
  readonly styleSheets: readonly string[];
  /** Texts of `<style>` and `style=""`. */
  readonly css: readonly string[];
  readonly scripts: readonly string[];
  readonly inlineScripts: number;
  readonly fields: readonly string[];
  readonly base: string | undefined;
  /** Target of an immediate redirect; `undefined` if there is none. */
  readonly leadsTo: string | undefined;
}

export function readFacts(html: string): PageFacts {
  const all = elementsOf(parse(html));
  const named = (name: string) => all.filter((element) => element.tagName === name);
  const values = (elements: readonly Element[], name: string) =>
    elements.flatMap((element) => attributeOf(element, name) ?? []);
  const relatedBy = (rel: RegExp) => named("link").filter((link) => rel.test(attributeOf(link, "rel") ?? ""));
  const scripts = named("script").filter((script) => isScript(attributeOf(script, "type")));
  const refreshes = named("meta").filter((meta) => attributeOf(meta, "http-equiv")?.toLowerCase() === "refresh");
  const sets = [...values(named("img"), "srcset"), ...values(named("source"), "srcset")];
  return {
    title: squeeze(textOf(named("title")[0])),
    text: squeeze(textOf(named("body")[0])),
    links: values(named("a"), "href"),
    ids: new Set(values(all, "id")),
    images: values(named("img"), "src"),
    sourceSets: sets.flatMap(addressesOfSet),
    icons: values(relatedBy(/\bicon\b/i), "href"),
    styleSheets: values(relatedBy(/\bstylesheet\b/i), "href"),
    css: [...named("style").map((style) => textOf(style, "all")), ...values(all, "style")],
    scripts: values(scripts, "src"),
    inlineScripts: scripts.filter((script) => attributeOf(script, "src") === undefined).length,
    fields: values([...named("input"), ...named("textarea"), ...named("select")], "name"),
    base: values(named("base"), "href")[0],
    leadsTo: values(refreshes, "content").flatMap((content) => /^0;\s*url=(.+)$/i.exec(content)?.[1] ?? [])[0],
  };
}

/** Returns the addresses in a style sheet, separated into fonts and images. */
export function addressesInCss(css: string): { readonly fonts: readonly string[]; readonly images: readonly string[] } {
  const faces = css.match(/@font-face\s*\{[^}]*\}/g) ?? [];
  const rest = css.replace(/@font-face\s*\{[^}]*\}/g, "");
  return { fonts: faces.flatMap(urlsIn), images: urlsIn(rest) };
}

export function importsInCss(css: string): readonly string[] {
  return [...css.matchAll(/@import\s+(?:url\()?["']?([^"')\s;]+)/g)].flatMap((found) => found[1] ?? []);
}

function urlsIn(css: string): readonly string[] {
  const found = css.matchAll(/url\(\s*(?:"([^"]*)"|'([^']*)'|([^)"'\s]*))\s*\)/g);
  return [...found]
    .map((match) => match[1] ?? match[2] ?? match[3] ?? "")
    .filter((url) => url !== "" && !url.startsWith("#"));
}

function elementsOf(node: ParentNode): readonly Element[] {
  return node.childNodes.flatMap((child) => {
    if (!("tagName" in child)) return [];
    const inside = "content" in child ? [] : elementsOf(child);
    return [child, ...inside];
  });
}

function attributeOf(element: Element, name: string): string | undefined {
  return element.attrs.find((attribute) => attribute.name === name)?.value;
}

function isScript(type: string | undefined): boolean {
  return type === undefined || type === "" || type === "module" || type.endsWith("javascript");
}

const UNSEEN = new Set(["script", "style", "template", "noscript"]);

function textOf(node: Node | undefined, parts: "seen" | "all" = "seen"): string {
  if (node === undefined) return "";
  if (node.nodeName === "#text" && "value" in node) return node.value;
  if (!("childNodes" in node) || (parts === "seen" && UNSEEN.has(node.nodeName))) return "";
  return node.childNodes.map((child) => textOf(child, parts)).join(" ");
}

function addressesOfSet(set: string): readonly string[] {
  // Only a comma before white space is a separator, since `data:` addresses contain commas.
  return set.split(/,\s+/).flatMap((candidate) => candidate.trim().split(/\s+/)[0] ?? []);
}

/** Normalizes white space. */
function squeeze(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

import { parse, serialize, type DefaultTreeAdapterTypes } from "parse5";
import type { PagesDialect } from "../dialect.ts";

type Node = DefaultTreeAdapterTypes.Node;
type ParentNode = DefaultTreeAdapterTypes.ParentNode;

const KNOWN_META = new Set(["viewport", "description", "robots", "author", "theme-color", "keywords"]);
const KEEPS_SPACE = new Set(["pre", "textarea", "script", "style"]);

/** Returns HTML as stored by a host that parses and serializes every page. */
export function tidyHtml(html: string, keeps: PagesDialect["keeps"]): string {
  if (keeps === "as-sent") return html;
  if (keeps === "ascii") return html.replace(/[^\p{ASCII}]/gu, "?");
  if (keeps === "latin-1") return html.replace(/[\u{100}-\u{10FFFF}]/gu, "?");
  if (keeps === "three-byte") return html.replace(/[\u{10000}-\u{10FFFF}]/gu, "????");
  if (keeps === "with-banner") return html.replace(/<body[^>]*>/i, "$&<aside>Made with Acme Pages</aside>");
  if (keeps === "styles-in-head") {
    const styles = html.match(STYLE)?.join("") ?? "";
    return html.replaceAll(STYLE, "").replace(/<\/head>/i, `${styles}</head>`);
  }
  if (keeps === "typographic-quotes") return html.replace(/>[^<]*</g, (text) => text.replace(/"([^"]*)"/g, "“$1”"));
  if (keeps === "64-KiB") return Buffer.from(html).subarray(0, 65_535).toString();
  const replaced = REPLACED[keeps];
  if (replaced !== undefined) return html.replace(...replaced);
  const removed = REMOVED[keeps];
  if (removed !== undefined) return html.replace(removed, "");
  if (keeps === "with-base") return html.replace(/<head>/i, '<head><base href="/">');
  const document = parse(html);
  tidy(document, keeps);
  return serialize(document);
}

const REPLACED: Partial<Readonly<Record<PagesDialect["keeps"], readonly [RegExp, string]>>> = {
  "own-language": [/<html[^>]*>/, '<html lang="eo">'],
  "own-title": [/<title>.*?<\/title>/s, "<title>Untitled</title>"],
  "own-canonical": [/<\/head>/, '<link rel="canonical" href="https://acme.example/"></head>'],
  noindex: [/<\/head>/, '<meta name="robots" content="noindex"></head>'],
  "one-line": [/\s+/g, " "],
};

const REMOVED: Partial<Readonly<Record<PagesDialect["keeps"], RegExp>>> = {
  "no-ids": /\sid="[^"]*"/g,
  "no-classes": /\sclass="[^"]*"/g,
  "no-refresh": /<meta[^>]*http-equiv="refresh"[^>]*>/gi,
  "no-tables": /<\/?(?:table|tbody|tr|td)[^>]*>/g,
  "no-media": /<video[^>]*>.*?<\/video>/gs,
  "no-buttons": /<button[^>]*>.*?<\/button>/gs,
  "no-details": /<\/?(?:details|summary)[^>]*>/g,
  "no-embeds": /<object[^>]*>.*?<\/object>/gs,
  "no-robots": /<meta[^>]*name="robots"[^>]*>/g,
  "no-handlers": /\son\w+="[^"]*"/g,
  "no-custom-elements": /<\/?[a-z]+-[^>]*>/g,
  "no-description": /<meta[^>]*name="description"[^>]*>/g,
};

const STYLE = /<style[^>]*>[\s\S]*?<\/style>/g;

// The tree is the host's own copy, so it can be changed in place.
function tidy(parent: ParentNode, keeps: PagesDialect["keeps"]): void {
  parent.childNodes = parent.childNodes.filter((node) => isKept(node, keeps));
  for (const node of parent.childNodes) {
    if (node.nodeName === "#text" && "value" in node && !KEEPS_SPACE.has(parent.nodeName)) {
      node.value = node.value.replace(/\s+/g, " ");
    }
    if ("attrs" in node) {
      node.attrs = node.attrs
        .filter(({ name }) => !name.startsWith("data-") && !(keeps === "no-scripts" && name.startsWith("on")))
        .toSorted((one, other) => (one.name < other.name ? -1 : 1));
    }
    if ("content" in node) tidy(node.content, keeps);
    if ("childNodes" in node) tidy(node, keeps);
  }
}

function isKept(node: Node, keeps: PagesDialect["keeps"]): boolean {
  if (node.nodeName === "#comment") return false;
  if (node.nodeName === "script") return keeps !== "no-scripts";
  if (node.nodeName !== "meta" || !("attrs" in node)) return true;
  const name = node.attrs.find((attribute) => attribute.name === "name")?.value;
  return name === undefined || KNOWN_META.has(name.toLowerCase());
}

/** Returns the text of the first `<title>`. */
export function titleOf(html: string): string {
  const found = /<title[^>]*>([\s\S]*?)<\/title>/i.exec(html)?.[1] ?? "";
  const text = found.replace(/\s+/g, " ").trim();
  return text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"').replaceAll("&amp;", "&");
}

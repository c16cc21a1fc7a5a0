import type { Rgb } from "culori";
import { isTag } from "domhandler";
import type { ChildNode, Element } from "domhandler";
import { cloneNode } from "domhandler";
import { hexOf } from "../color/contrast.ts";
import { outerHtml } from "../page/document.ts";
import type { PageDocument } from "../page/document.ts";

/** Longest SVG that is taken as a logo, in characters. */
const MAX_LENGTH = 100_000;
const DANGEROUS = new Set(["script", "foreignobject", "iframe", "object", "embed", "animate", "set", "handler", "listener"]);

/**
 * The text of an SVG that stands in a page as a file of its own: symbols that it uses are put in, `currentColor` is
 * the color that it has on the page, and nothing that runs or loads is left.
 */
export function renderInlineSvg(element: Element, page: PageDocument, color: Rgb): string | undefined {
  const svg = cloneNode(element, true);
  for (const symbol of usedSymbols(svg, page)) {
    const copy = cloneNode(symbol, true);
    copy.parent = svg;
    svg.children.push(copy);
    const own = copy.attribs["viewBox"];
    if (own !== undefined) svg.attribs["viewBox"] ??= own;
  }
  clean(svg);
  const { class: _, style: __, ...attributes } = svg.attribs;
  svg.attribs = { xmlns: "http://www.w3.org/2000/svg", ...attributes, color: hexOf(color) };
  const text = outerHtml(svg);
  return text.length > MAX_LENGTH || !/<(?:path|rect|circle|ellipse|polygon|polyline|text|image|g|line|symbol)\b/.test(text) ? undefined : text;
}

function usedSymbols(svg: Element, page: PageDocument): readonly Element[] {
  return descendants(svg).flatMap((element) => {
    const reference = element.name === "use" ? (element.attribs["href"] ?? element.attribs["xlink:href"] ?? "") : "";
    const id = reference.startsWith("#") ? reference.slice(1) : undefined;
    const isInside = descendants(svg).some((other) => other.attribs["id"] === id);
    const target = id === undefined || isInside ? undefined : page.elements.find((other) => other.attribs["id"] === id);
    return target === undefined || descendants(target).includes(svg) ? [] : [target];
  });
}

function descendants(element: Element): readonly Element[] {
  const found: Element[] = [];
  const open: ChildNode[] = [...element.children];
  for (let node = open.shift(); node !== undefined; node = open.shift()) {
    if (!isTag(node)) continue;
    found.push(node);
    open.unshift(...node.children);
  }
  return found;
}

function clean(svg: Element): void {
  for (const element of [svg, ...descendants(svg)]) {
    element.children = element.children.filter(
      (child) => !isTag(child) || !DANGEROUS.has(child.name.toLowerCase().replace(/^.*:/, "")),
    );
    for (const [name, value] of Object.entries(element.attribs)) {
      const isReference = name === "href" || name === "xlink:href" || name === "src";
      const isOutside = isReference && !value.startsWith("#") && !/^data:image\/(?:png|jpeg|gif|webp)[;,]/i.test(value);
      if (/^on/i.test(name) || isOutside) delete element.attribs[name];
    }
  }
}

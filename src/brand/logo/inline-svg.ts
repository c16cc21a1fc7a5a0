import { cloneNode, isTag, type Element } from "domhandler";
import { createBudget } from "../budget.ts";
import { hexOf } from "../color/contrast.ts";
import type { ComputedStyle } from "../css/computed-style.ts";
import { substituteVariables } from "../css/values.ts";
import { descendantsOf, outerHtml, parentOf, referenceOf, type PageDocument } from "../document.ts";

/** Maximum length of an SVG logo, in characters. */
const MAX_LENGTH = 100_000;
/** A drawing with more elements isn't a logo. */
const MAX_PARTS = 1000;
const VARIABLE_STEPS = 5_000;
const SHAPES = /<(?:path|rect|circle|ellipse|polygon|polyline|text|image|line)\b/;
const DANGEROUS = new Set([
  "script",
  "style",
  "foreignobject",
  "iframe",
  "object",
  "embed",
  "animate",
  "set",
  "handler",
  "listener",
]);

type StyleOf = (element: Element) => ComputedStyle;

/**
 * Converts an inline SVG to a standalone file: inlines the symbols that it uses, resolves variables and fill colors
 * from the page's styles, and removes everything that runs or loads.
 */
export function renderInlineSvg(element: Element, page: PageDocument, styleOf: StyleOf): string | undefined {
  if (descendantsOf(element).length > MAX_PARTS) return undefined;
  const svg = cloneStyled(element, styleOf);
  for (const symbol of usedSymbols(svg, page)) {
    const copy = cloneStyled(symbol, styleOf);
    copy.parent = svg;
    svg.children.push(copy);
    const own = copy.attribs["viewBox"];
    if (own !== undefined) svg.attribs["viewBox"] ??= own;
  }
  cleanDrawing(svg);
  svg.attribs = { xmlns: "http://www.w3.org/2000/svg", ...svg.attribs, color: hexOf(styleOf(element).color) };
  const text = outerHtml(svg);
  return text.length > MAX_LENGTH || !SHAPES.test(text) ? undefined : text;
}

function cloneStyled(element: Element, styleOf: StyleOf): Element {
  const budget = createBudget(VARIABLE_STEPS);
  const copy = cloneNode(element, true);
  const copies = [copy, ...descendantsOf(copy)];
  [element, ...descendantsOf(element)].forEach((original, index) => {
    const target = copies[index];
    if (target === undefined) return;
    const style = styleOf(original);
    for (const [name, value] of Object.entries(target.attribs)) {
      if (value.includes("var(")) target.attribs[name] = substituteVariables(value, style.custom, budget) ?? "";
    }
    const around = parentOf(original);
    const isFilled =
      style.fill !== undefined && style.fill !== (around === undefined ? undefined : styleOf(around).fill);
    if (isFilled && style.fill !== undefined) target.attribs["fill"] = hexOf(style.fill);
  });
  return copy;
}

/** Elements elsewhere in the page that drawings in an element use through `<use>`. */
export function usedSymbols(svg: Element, page: PageDocument): readonly Element[] {
  return descendantsOf(svg).flatMap((element) => {
    const reference = element.name === "use" ? referenceOf(element) : "";
    const id = reference.startsWith("#") ? reference.slice(1) : undefined;
    const isInside = descendantsOf(svg).some((other) => other.attribs["id"] === id);
    const target = id === undefined || isInside ? undefined : page.elements.find((other) => other.attribs["id"] === id);
    return target === undefined || descendantsOf(target).includes(svg) ? [] : [target];
  });
}

/** Removes everything from a drawing that runs or loads, and what only the page needs. */
export function cleanDrawing(svg: Element): void {
  for (const element of [svg, ...descendantsOf(svg)]) {
    element.children = element.children.filter(
      (child) => !isTag(child) || !DANGEROUS.has(child.name.toLowerCase().replace(/^.*:/, "")),
    );
    for (const [name, value] of Object.entries(element.attribs)) {
      const isReference = name === "href" || name === "xlink:href" || name === "src";
      const isOutside = isReference && !value.startsWith("#") && !/^data:image\/(?:png|jpeg|gif|webp)[;,]/i.test(value);
      const isOfPage = name === "class" || name.startsWith("data-") || name.startsWith("on") || name === "focusable";
      if (isOfPage || isOutside || /url\(\s*["']?(?!#)/i.test(value)) delete element.attribs[name];
    }
  }
}

import { parseHtml } from "../../../html/parse.ts";
import { visitElements, type HtmlElement, type HtmlNode } from "../../../html/tree.ts";

const MAX_STEPS = 6;
const MAX_LENGTH = 60;

/**
 * Returns readable names of clicked elements, such as the text of a link or the label of a field, by the selectors that
 * the page's script sent. Skips elements that aren't in the HTML because a script created them.
 */
export function nameElements(html: string, selectors: readonly string[]): ReadonlyMap<string, string> {
  const wanted = new Set(selectors);
  const names = new Map<string, string>();
  const places = new Map<HtmlElement, number>();
  const counters = new Map<HtmlElement | undefined, Map<string, number>>();
  visitElements(parseHtml(html), (element) => {
    const ofParent = counters.get(element.parent) ?? new Map<string, number>();
    counters.set(element.parent, ofParent);
    const place = (ofParent.get(element.tagName) ?? 0) + 1;
    ofParent.set(element.tagName, place);
    places.set(element, place);
    const selector = selectorOf(element, places);
    const name = wanted.has(selector) && !names.has(selector) ? nameOf(element) : "";
    if (name !== "") names.set(selector, name);
  });
  return names;
}

// Same algorithm as the page script, see visitors/beacon.ts.
function selectorOf(element: HtmlElement, places: ReadonlyMap<HtmlElement, number>): string {
  const steps: string[] = [];
  let at: HtmlElement | undefined = element;
  while (at !== undefined && at.tagName !== "body" && steps.length < MAX_STEPS) {
    const id = attributeOf(at, "id");
    if (id !== "") return [`#${id}`, ...steps].join(">");
    steps.unshift(`${at.tagName}:nth-of-type(${places.get(at) ?? 1})`);
    at = at.parent;
  }
  return steps.join(">");
}

const SAYING = ["aria-label", "alt", "title", "placeholder", "value", "name"] as const;

function nameOf(element: HtmlElement): string {
  const text = attributeOf(element, "aria-label") || textIn(element.firstChild);
  return text || SAYING.map((name) => attributeOf(element, name)).find((value) => value !== "") || altIn(element);
}

function textIn(first: HtmlNode | undefined): string {
  let text = "";
  const following: (HtmlNode | undefined)[] = [first];
  while (following.length > 0 && text.length <= MAX_LENGTH) {
    const node = following.pop();
    if (node === undefined) continue;
    following.push(node.next);
    if (node.kind === "text") text = `${text}${node.value}`.replaceAll(/\s+/g, " ");
    else if (!["script", "style"].includes(node.tagName)) following.push(node.firstChild);
  }
  const whole = text.trim();
  return whole.length <= MAX_LENGTH ? whole : `${whole.slice(0, MAX_LENGTH).trimEnd()}…`;
}

function altIn({ firstChild }: HtmlElement): string {
  for (let node = firstChild; node !== undefined; node = node.next) {
    if (node.kind === "element" && node.tagName === "img") return attributeOf(node, "alt");
  }
  return "";
}

function attributeOf({ attrs }: HtmlElement, name: string): string {
  return attrs.find((attribute) => attribute.name === name)?.value.trim() ?? "";
}

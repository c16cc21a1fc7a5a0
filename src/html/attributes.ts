import type { Edit } from "./edits.ts";
import type { HtmlAttribute, HtmlElement } from "./tree.ts";

/** The value of an attribute, decoded; names are lower-case, `xlink:href` with its prefix. */
export function findAttribute({ attrs }: Pick<HtmlElement, "attrs">, name: string): string | undefined {
  for (const attribute of attrs) if (attribute.name === name) return attribute.value;
  return undefined;
}

/** Whether a list of words such as `rel` or `class` has the word, in any case. */
export function hasWord(element: HtmlElement, name: string, word: string): boolean {
  const value = findAttribute(element, name);
  return value !== undefined && value.toLowerCase().split(/\s+/).includes(word);
}

/** The edit that gives an attribute another value; `undefined` when the element does not have it. */
export function editAttribute(
  html: string,
  element: HtmlElement,
  change: { readonly name: string; readonly value: string },
): Edit | undefined {
  const attribute = element.attrs.find(({ name }) => name === change.name);
  return attribute && editValue(html, attribute, change.value);
}

/** The edit that gives an attribute another value. */
export function editValue(html: string, { name, start, end }: HtmlAttribute, value: string): Edit {
  const written = html.startsWith(name, start) ? name : html.slice(start, start + name.length);
  return { start, end, text: `${written}="${escapeAttribute(value)}"` };
}

/** The edit that takes an attribute away; `undefined` when the element does not have it. */
export function dropAttribute(element: HtmlElement, name: string): Edit | undefined {
  const attribute = element.attrs.find((each) => each.name === name);
  return attribute && { start: attribute.start, end: attribute.end, text: "" };
}

/** The source of the attributes that are not in `dropped`, each with a space before it. */
export function renderAttributes(html: string, element: HtmlElement, dropped: ReadonlySet<string>): string {
  return element.attrs
    .filter(({ name }) => !dropped.has(name))
    .map(({ start, end }) => ` ${html.slice(start, end)}`)
    .join("");
}

/** Makes a text fit between double quotes in a tag. */
export function escapeAttribute(text: string): string {
  return /[&"]/.test(text) ? text.replaceAll("&", "&amp;").replaceAll('"', "&quot;") : text;
}

/** Makes a text fit between tags. */
export function escapeText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}

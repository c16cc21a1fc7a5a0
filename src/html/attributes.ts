import type { Edit } from "./edits.ts";
import type { HtmlAttribute, HtmlElement } from "./tree.ts";

/** Returns the decoded value of an attribute. Names are lowercase, including prefixes such as `xlink:href`. */
export function findAttribute({ attrs }: Pick<HtmlElement, "attrs">, name: string): string | undefined {
  for (const attribute of attrs) if (attribute.name === name) return attribute.value;
  return undefined;
}

/** Whether a space-separated list such as `rel` or `class` contains the word, ignoring case. */
export function hasWord(element: HtmlElement, name: string, word: string): boolean {
  const value = findAttribute(element, name);
  return value !== undefined && value.toLowerCase().split(/\s+/).includes(word);
}

/** Returns the edit that changes an attribute's value, or `undefined` if the element doesn't have it. */
export function editAttribute(
  html: string,
  element: HtmlElement,
  change: { readonly name: string; readonly value: string },
): Edit | undefined {
  const attribute = element.attrs.find(({ name }) => name === change.name);
  return attribute && editValue(html, attribute, change.value);
}

export function editValue(html: string, { name, start, end }: HtmlAttribute, value: string): Edit {
  const written = html.startsWith(name, start) ? name : html.slice(start, start + name.length);
  return { start, end, text: `${written}="${escapeAttribute(value)}"` };
}

export function dropAttribute(element: HtmlElement, name: string): Edit | undefined {
  const attribute = element.attrs.find((each) => each.name === name);
  return attribute && { start: attribute.start, end: attribute.end, text: "" };
}

/** Returns the source of the attributes not in `dropped`, each preceded by a space. */
export function renderAttributes(html: string, element: HtmlElement, dropped: ReadonlySet<string>): string {
  return element.attrs
    .filter(({ name }) => !dropped.has(name))
    .map(({ start, end }) => ` ${html.slice(start, end)}`)
    .join("");
}

export function escapeAttribute(text: string): string {
  return /[&"]/.test(text) ? text.replaceAll("&", "&amp;").replaceAll('"', "&quot;") : text;
}

export function escapeText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}

import type { Edit } from "./edits.ts";
import type { HtmlElement } from "./parse.ts";

/** The value of an attribute, decoded; names are lower-case, `xlink:href` with its prefix. */
export function findAttribute(element: HtmlElement, name: string): string | undefined {
  for (const attribute of element.attrs) {
    if (attribute.name === name && attribute.prefix === undefined) return attribute.value;
    if (attribute.prefix !== undefined && `${attribute.prefix}:${attribute.name}` === name) return attribute.value;
  }
  return undefined;
}

/** Whether a list of words such as `rel` or `class` has the word, in any case. */
export function hasWord(element: HtmlElement, name: string, word: string): boolean {
  const value = findAttribute(element, name);
  return value !== undefined && value.toLowerCase().split(/\s+/).includes(word);
}

/**
 * The edit that gives an attribute another value. `undefined` when the attribute does not stand in the source at this
 * element, as those of a second `<body>` that the parser adds to the first.
 */
export function editAttribute(
  html: string,
  element: HtmlElement,
  change: { readonly name: string; readonly value: string },
): Edit | undefined {
  const place = element.sourceCodeLocation?.attrs?.[change.name];
  if (place === undefined) return undefined;
  const source = html.slice(place.startOffset, place.endOffset);
  // A name may begin with an equals sign, but not go on with one.
  const [name = change.name] = /^.[^\s=]*/s.exec(source) ?? [];
  return {
    start: place.startOffset,
    end: place.endOffset,
    text: `${name}="${escapeAttribute(change.value)}"`,
  };
}

/** The element without attributes that the parser took over from elsewhere, such as a second `<body>`. */
export function withOwnAttributes(element: HtmlElement): HtmlElement {
  const places = element.sourceCodeLocation?.attrs ?? {};
  return { ...element, attrs: element.attrs.filter(({ name }) => name in places) };
}

/** The source of the attributes that are not in `dropped`, each with a space before it. */
export function renderAttributes(html: string, element: HtmlElement, dropped: ReadonlySet<string>): string {
  const places = element.sourceCodeLocation?.attrs ?? {};
  return Object.entries(places)
    .filter(([name]) => !dropped.has(name))
    .map(([, place]) => ` ${html.slice(place.startOffset, place.endOffset)}`)
    .join("");
}

/** Makes a text fit between double quotes in a tag. */
export function escapeAttribute(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
}

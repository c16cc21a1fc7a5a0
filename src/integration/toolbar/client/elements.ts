import { splitCode } from "../../../base/code-spans.ts";

export function describe(message: string): readonly (Node | string)[] {
  return splitCode(message).map(({ text, isCode }) => (isCode ? make("code", { textContent: text }) : text));
}

/** Part of an element; `false` and `undefined` add nothing. */
export type Child = Node | string | false | undefined;

export function make<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]> = {},
  children: readonly Child[] = [],
): HTMLElementTagNameMap[Name] {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children.filter((child) => child !== false && child !== undefined));
  return element;
}

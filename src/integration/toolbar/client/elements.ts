import { splitCode } from "../../../base/code-spans.ts";

export function describe(message: string): readonly (Node | string)[] {
  return splitCode(message).map(({ text, isCode }) => (isCode ? make("code", { textContent: text }) : text));
}

export function make<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]> = {},
  children: readonly (Node | string)[] = [],
): HTMLElementTagNameMap[Name] {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children);
  return element;
}

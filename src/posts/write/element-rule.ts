/** What rules for Turndown read from an element of the parsed HTML. */
export interface ParsedElement {
  readonly nodeName: string;
  textContent: string | null;
  readonly outerHTML: string;
  readonly firstElementChild: ParsedElement | null;
  readonly previousSibling: ParsedNode | null;
  readonly nextSibling: ParsedNode | null;
  getAttribute(name: string): string | null;
  hasAttribute(name: string): boolean;
  closest(selector: string): ParsedElement | null;
  querySelectorAll(selector: string): ArrayLike<ParsedElement>;
  cloneNode(isDeep: boolean): ParsedElement;
}

export type ParsedNode = Pick<ParsedElement, "nodeName" | "textContent">;

/** Writes elements as Markdown. */
export interface ElementRule {
  readonly names: readonly string[];
  /** Other elements of these names are left to earlier rules, and to Turndown. */
  readonly when?: (element: ParsedElement) => boolean;
  readonly render: (element: ParsedElement, content: string) => string;
}

export function isElement(node: object): node is ParsedElement {
  return "outerHTML" in node;
}

export function nameOf({ nodeName }: ParsedNode): string {
  return nodeName.toLowerCase();
}

/** The value of an attribute on one line; empty if there is none. */
export function attributeOf(element: ParsedElement, name: string): string {
  return (element.getAttribute(name) ?? "").replaceAll(/\s+/g, " ").trim();
}

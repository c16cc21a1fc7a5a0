import { Element } from "domhandler";

/**
 * An element that is not on the page, for asking how one would look there: inside `parent`, wrapped in the given
 * elements, the outermost first (`p`, `div.prose`).
 */
export function createProbe(parent: Element, path: readonly string[]): Element {
  let current = parent;
  for (const step of path) {
    const [name = "div", className] = step.split(".");
    const attributes: Record<string, string> = {};
    if (className !== undefined) attributes["class"] = className;
    if (name === "a") attributes["href"] = "/imprint-probe/";
    const element = new Element(name, attributes);
    // The page does not get the probe among its children: other selectors must not see it.
    element.parent = current;
    current = element;
  }
  return current;
}

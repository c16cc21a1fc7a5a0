import type { CssNode } from "css-tree";
import type { Declaration } from "./style-sheet.ts";

/** Properties that tell about colors and fonts; `display` tells what is hidden. */
const PROPERTIES = new Set(
  (
    "color background background-color background-image font font-family font-weight border border-color " +
    "border-top border-top-color border-bottom border-bottom-color fill display visibility color-scheme accent-color"
  ).split(" "),
);

/** The declarations that tell about a brand, values as written. */
export function readDeclarations(nodes: Iterable<CssNode>): readonly Declaration[] {
  const declarations: Declaration[] = [];
  for (const node of nodes) {
    if (node.type !== "Declaration" || node.value.type !== "Raw") continue;
    const isCustom = node.property.startsWith("--");
    const property = isCustom ? node.property : node.property.toLowerCase();
    if (!isCustom && !PROPERTIES.has(property)) continue;
    declarations.push({ property, value: node.value.value.trim(), important: node.important !== false });
  }
  return declarations;
}

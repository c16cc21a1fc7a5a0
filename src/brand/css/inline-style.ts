import { parse } from "css-tree";
import { readDeclarations } from "./declarations.ts";
import type { Declaration } from "./style-sheet.ts";

/** The declarations of a `style` attribute. */
export function parseInlineStyle(style: string): readonly Declaration[] {
  if (style.trim() === "") return [];
  const tree = parse(style, {
    context: "declarationList",
    parseValue: false,
    parseCustomProperty: false,
    onParseError() {},
  });
  return tree.type === "DeclarationList" ? readDeclarations(tree.children) : [];
}

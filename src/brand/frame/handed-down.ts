import type { WrittenDeclaration } from "../css/sheet-tree.ts";
import { splitOutside } from "../css/values.ts";
import { isForColumn } from "./frame-parts.ts";
import type { FrameRule } from "./frame-rules.ts";

/**
 * Returns what a rule for an element around the parts means for them: what they inherit, what determines their width,
 * and, if the element `isSpaced`, its padding and margin beside them, above the header, and below the footer.
 */
export function handDown(
  { declarations, ...rule }: FrameRule,
  { isSpaced }: { readonly isSpaced: boolean },
): readonly FrameRule[] {
  const longhands = declarations.filter(({ property }) => isSpaced || property !== "padding").flatMap(splitSpacing);
  const inherited = longhands.filter((own) => isHandedDown(own.property) && !isForColumn(own));
  // `:where` adds no specificity, so the rules keep their order.
  const edge = (place: string, side: RegExp): FrameRule => ({
    ...rule,
    selector: `:where(.imprint-${place}) ${rule.selector}`,
    declarations: isSpaced ? longhands.filter(({ property }) => side.test(property)) : [],
  });
  return [
    { ...rule, declarations: inherited },
    edge("header", /^(?:margin|padding)-(?:top|block-start)$/),
    edge("footer", /^(?:margin|padding)-(?:bottom|block-end)$/),
  ].filter((own) => own.declarations.length > 0);
}

/** Whether children inherit the property, or it determines an element's width. */
function isHandedDown(property: string): boolean {
  return (
    property.startsWith("--") ||
    /^(?:color|font(?:-.*)?|line-height|letter-spacing|word-.*|text-(?!decoration).*|list-style.*|direction|writing-mode|-webkit-font-smoothing|-moz-osx-font-smoothing|hyphens|white-space|cursor|box-sizing|max-width|width|margin-(?:left|right|inline.*)|padding-(?:left|right|inline.*)|accent-color)$/.test(
      property,
    )
  );
}

/** Splits a shorthand for margin or padding into its sides, since each part of a frame has only some of them. */
function splitSpacing(declaration: WrittenDeclaration): readonly WrittenDeclaration[] {
  const [, name, axis] = /^(margin|padding)(-block)?$/.exec(declaration.property) ?? [];
  const values = splitOutside(declaration.value, /\s/).filter((value) => value !== "");
  const [first] = values;
  if (name === undefined || first === undefined) return [declaration];
  const [top, right = top, bottom = top, left = right] = values;
  const sides = axis === undefined ? { top, right, bottom, left } : { top, bottom: right };
  return Object.entries(sides).map(([side, value = first]) => ({ ...declaration, property: `${name}-${side}`, value }));
}

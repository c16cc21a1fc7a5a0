import type { AppliedSheet } from "../css/cascade.ts";
import type { RegisteredProperty } from "../css/parse-sheet.ts";
import type { WrittenDeclaration } from "../css/sheet-tree.ts";
import { resolveAddress } from "../document.ts";
import { coversLatin } from "../font/font-files.ts";
import { COLUMN, COLUMN_FROM, WIDE } from "./clean-markup.ts";
import type { FrameRule } from "./frame-rules.ts";

/** What the rules of a frame use from the rest of the styles. */
export interface Used {
  /** Custom properties. */
  readonly variables: ReadonlySet<string>;
  /** All values of font properties, in lowercase. */
  readonly fonts: string;
}

export function usedOf(rules: readonly FrameRule[]): Used {
  const declarations = rules.flatMap((rule) => rule.declarations);
  const definitions = Map.groupBy(
    declarations.filter(({ property }) => property.startsWith("--")),
    ({ property }) => property,
  );
  const variables = new Set<string>();
  const open = declarations.filter(({ property }) => !property.startsWith("--")).flatMap(namesIn);
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (variables.has(name)) continue;
    variables.add(name);
    open.push(...(definitions.get(name) ?? []).flatMap(namesIn));
  }
  const fonts = declarations
    .filter(({ property }) => /^font(?:-family)?$/.test(property) || variables.has(property))
    .map(({ value }) => value.toLowerCase())
    .join("\n");
  return { variables, fonts };
}

function namesIn({ value }: WrittenDeclaration): readonly string[] {
  return Array.from(value.matchAll(/var\(\s*(--[^\s,)]+)/gi), ([, name = ""]) => name);
}

interface RulesContext {
  readonly used: Used;
  /** Names of cascade layers in the order in which the site mentions them. */
  readonly layers: readonly string[];
  /** Registered custom properties, which a shadow tree can't register. */
  readonly registered: ReadonlyMap<string, RegisteredProperty>;
}

/** Renders the rules as a style sheet, grouping consecutive rules in the same at-rules. */
export function renderRules(rules: readonly FrameRule[], { used, layers, registered }: RulesContext): string {
  const named = layers.map((name) => name.replaceAll(/[^\w.-]+/g, "-"));
  const head = [
    renderStandIns([...registered].filter(([name]) => used.variables.has(name))),
    ...(named.length === 0 ? [] : [`@layer ${named.join(",")};`]),
  ];
  const lines = rules.flatMap(({ around, selector, declarations }): { around: string; text: string }[] => {
    const kept = declarations.filter(({ property }) => !property.startsWith("--") || used.variables.has(property));
    if (kept.length === 0 || /[<>{}]/.test(selector.replaceAll(">", ""))) return [];
    const body = kept.map(({ property, value, important }) => `${property}:${value}${important ? "!important" : ""}`);
    return [{ around: around.join("\u0000"), text: `${selector}{${body.join(";")}}` }];
  });
  const blocks: string[] = [];
  for (let at = 0; at < lines.length;) {
    const start = at;
    const place = lines[start]?.around ?? "";
    while (lines[at]?.around === place) at += 1;
    const inner = lines
      .slice(start, at)
      .map(({ text }) => text)
      .join("\n");
    const outer = place === "" ? [] : place.split("\u0000");
    blocks.push(outer.reduceRight((text, rule) => `${rule}{${text}}`, inner));
  }
  return [...head, ...blocks, PART].join("\n");
}

// The page positions the parts, whatever their position on the site. Links in running text are underlined.
const PART =
  ".imprint-part{position:relative!important;inset:auto!important;float:none!important;margin-block:0!important}" +
  ".imprint-link{text-decoration:underline!important}" +
  // The service's page has the margin of the site's box, and is as wide.
  ".imprint-box{margin-block:0!important;box-sizing:border-box!important}" +
  // Sites made of tables are for windows of one size; the service's page never scrolls sideways.
  `@media (width < 64rem){[${WIDE}]{overflow-x:auto}[${WIDE}] table{max-width:100%!important;table-layout:auto!important}` +
  `[${WIDE}] img{max-width:100%!important;height:auto!important}}` +
  // In a window too small for a column, it is as high as its content.
  `[${COLUMN}]{min-height:100%}[${COLUMN}] .imprint-part{width:auto!important;max-width:none!important}` +
  `@media (width >= ${COLUMN_FROM}){[${COLUMN}] .imprint-part{min-height:100vh!important}}` +
  `@media (width < ${COLUMN_FROM}){[${COLUMN}] .imprint-part{height:auto!important;min-height:0!important}}`;

/** The first layer, so that the site's own layers override it. */
export const STAND_IN_LAYER = "imprint-stand-ins";

function renderStandIns(registered: readonly (readonly [name: string, property: RegisteredProperty])[]): string {
  const initialOf = (those: typeof registered) =>
    those.flatMap(([name, { initial }]) => (/[<>{}]/.test(initial) ? [] : [`${name}:${initial}`])).join(";");
  const rules = [
    ["imprint-html,imprint-body", "display:block"],
    ["imprint-html", initialOf(registered.filter(([, { isInherited }]) => isInherited))],
    ["*,::before,::after", initialOf(registered.filter(([, { isInherited }]) => !isInherited))],
  ] as const;
  const text = rules.flatMap(([selector, body]) => (body === "" ? [] : [`${selector}{${body}}`])).join("");
  return `@layer ${STAND_IN_LAYER}{${text}}`;
}

const MOST_FACES = 6;

/** Renders font faces for Latin letters of the used families, if the library has their files. */
export function renderFontFaces(
  sheets: readonly AppliedSheet[],
  { fonts }: Used,
  fileAt: (address: string) => string | undefined,
): string {
  const faces = sheets.flatMap(({ sheet }) =>
    sheet.fontFaces.flatMap(({ family, addresses, weight, style, unicodeRange }) => {
      if (!fonts.includes(family.toLowerCase()) || /italic|oblique/i.test(style) || !coversLatin(unicodeRange))
        return [];
      const target = addresses.flatMap((address) => resolveAddress(address, sheet.address) ?? [])[0];
      const file = target === undefined ? undefined : fileAt(target);
      if (file === undefined || !/^[\w\s-]+$/.test(family) || !/^[\w\s]+$/.test(weight)) return [];
      return [`@font-face{font-family:"${family}";src:url("${file}");font-weight:${weight};font-display:swap}`];
    }),
  );
  return [...new Set(faces)].slice(0, MOST_FACES).join("\n");
}

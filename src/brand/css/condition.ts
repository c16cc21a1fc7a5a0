import { parse, type CssNode } from "css-tree";
import type { SchemeName } from "../findings.ts";
import { parseLength, WINDOW } from "./lengths.ts";
import type { Condition } from "./parse-sheet.ts";

const FEATURES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    hover: "hover",
    "any-hover": "hover",
    pointer: "fine",
    "any-pointer": "fine",
    orientation: "landscape",
    "prefers-reduced-motion": "no-preference",
    "prefers-contrast": "no-preference",
    "prefers-reduced-transparency": "no-preference",
    "forced-colors": "none",
    "inverted-colors": "none",
    "color-gamut": "srgb",
    "dynamic-range": "standard",
    "display-mode": "browser",
    scripting: "enabled",
    update: "fast",
  }),
);

/** Creates a check whether style sheet conditions are met for a visitor who prefers the scheme. Results are cached. */
export function createConditionCheck(scheme: SchemeName): (condition: Condition) => boolean {
  const known = new Map<string, boolean>();
  return (condition) => {
    const key = `${condition.kind} ${condition.text}`;
    const answer = known.get(key) ?? checkCondition(condition, scheme);
    known.set(key, answer);
    return answer;
  };
}

function checkCondition({ kind, text }: Condition, scheme: SchemeName): boolean {
  if (text === "") return true;
  const query =
    kind === "container" ? text.replace(/^[^(]*(?=\()/, (name) => (/\bnot\b/.test(name) ? "not " : "")) : text;
  try {
    const context = kind === "supports" ? "condition" : "mediaQueryList";
    const tree = parse(query, kind === "supports" ? { context: "atrulePrelude", atrule: "supports" } : { context });
    return isMet(tree, scheme);
  } catch {
    // To a browser, a condition that can't be parsed means "not all".
    return false;
  }
}

function isMet(node: CssNode, scheme: SchemeName): boolean {
  switch (node.type) {
    case "AtrulePrelude":
      return node.children.toArray().every((child) => isMet(child, scheme));
    case "MediaQueryList":
      return node.children.toArray().some((child) => isMet(child, scheme));
    case "MediaQuery": {
      const type = node.mediaType?.toLowerCase() ?? "all";
      const met = ["all", "screen"].includes(type) && (node.condition === null || isMet(node.condition, scheme));
      return node.modifier?.toLowerCase() === "not" ? !met : met;
    }
    case "Condition":
      return isConditionMet(node.children.toArray(), scheme);
    case "Feature":
      return isFeatureMet(node.name.toLowerCase(), node.value, scheme);
    case "FeatureRange":
      return (
        isComparisonMet(node.left, node.leftComparison, node.middle) &&
        (node.right === null || isComparisonMet(node.middle, node.rightComparison ?? "", node.right))
      );
    case "SupportsDeclaration":
      return !/^-(?:moz|ms|o)-/.test(node.declaration.property);
    case "FeatureFunction":
      return node.feature.toLowerCase() !== "style";
    default:
      return false;
  }
}

function isConditionMet(parts: readonly CssNode[], scheme: SchemeName): boolean {
  let result: boolean | undefined;
  let word = "and";
  let negated = false;
  for (const part of parts) {
    if (part.type === "Identifier") {
      if (part.name.toLowerCase() === "not") negated = true;
      else word = part.name.toLowerCase();
      continue;
    }
    const met = isMet(part, scheme) !== negated;
    negated = false;
    result = result === undefined ? met : word === "or" ? result || met : result && met;
  }
  return result ?? false;
}

function isFeatureMet(name: string, value: CssNode | null, scheme: SchemeName): boolean {
  if (name === "prefers-color-scheme")
    return value === null || (value.type === "Identifier" && value.name.toLowerCase() === scheme);
  const range = /^(min|max)-(.*)$/.exec(name);
  const size = sizeOf(range?.[2] ?? name);
  if (size !== undefined) {
    const limit = value === null ? 0 : lengthOf(value);
    if (limit === undefined) return false;
    if (range === null) return value === null ? size > 0 : size === limit;
    return range[1] === "min" ? size >= limit : size <= limit;
  }
  const ours = FEATURES.get(name);
  if (value === null) return (ours !== undefined && ours !== "none" && ours !== "no-preference") || name === "color";
  return value.type === "Identifier" && value.name.toLowerCase() === ours;
}

function isComparisonMet(left: CssNode, comparison: string, right: CssNode): boolean {
  const a = left.type === "Identifier" ? sizeOf(left.name.toLowerCase()) : lengthOf(left);
  const b = right.type === "Identifier" ? sizeOf(right.name.toLowerCase()) : lengthOf(right);
  if (a === undefined || b === undefined) return false;
  const isMet = comparison.startsWith("<") ? a < b : comparison.startsWith(">") && a > b;
  return isMet || (comparison.endsWith("=") && a === b);
}

function sizeOf(feature: string): number | undefined {
  if (["width", "device-width", "inline-size"].includes(feature)) return WINDOW.width;
  if (["height", "device-height", "block-size"].includes(feature)) return WINDOW.height;
  if (feature === "resolution") return 1;
  return undefined;
}

function lengthOf(node: CssNode): number | undefined {
  if (node.type === "Number") return Number(node.value);
  if (node.type !== "Dimension") return undefined;
  const unit = node.unit.toLowerCase();
  if (unit === "dppx" || unit === "x") return Number(node.value);
  if (unit === "dpi") return Number(node.value) / 96;
  return parseLength(`${node.value}${unit}`, { em: 16, rem: 16 });
}

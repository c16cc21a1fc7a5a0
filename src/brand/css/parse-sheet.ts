import { parse } from "css-tree";
import type { Atrule, CssNode, Rule } from "css-tree";
import { messageOf } from "../../base/error.ts";
import { flattenNesting } from "./flatten-nesting.ts";
import { readSelector } from "./selector.ts";
import { parseImport } from "./parse-import.ts";
import type { Condition, Declaration, FontFace, SheetImport, StyleRule, StyleSheet } from "./style-sheet.ts";

/** Longest style sheet that is read, in characters. Of a longer one the beginning is read. */
export const MAX_SHEET_LENGTH = 4 * 1024 * 1024;

/** Properties that tell about colors and fonts; `display` tells what is hidden. */
const PROPERTIES = new Set(
  (
    "color background background-color background-image font font-family font-weight border border-color " +
    "border-top border-top-color border-bottom border-bottom-color fill display visibility color-scheme accent-color"
  ).split(" "),
);

interface Collected {
  readonly rules: StyleRule[];
  readonly layers: string[];
  readonly fontFaces: FontFace[];
  readonly initialValues: Map<string, string>;
  readonly imports: SheetImport[];
  anonymousLayers: number;
}

interface Surroundings {
  readonly conditions: readonly Condition[];
  readonly layer: string;
}

/** Reads a style sheet. What can't be parsed is left out, as a browser does; what that hides is told in `problems`. */
export function parseSheet(css: string, address: string): StyleSheet {
  const problems: string[] = [];
  const collected: Collected = {
    rules: [],
    layers: [],
    fontFaces: [],
    initialValues: new Map(),
    imports: [],
    anonymousLayers: 0,
  };
  try {
    const children = parseFlat(cutToLength(css, problems), problems);
    collectRules(children, { conditions: [], layer: "" }, collected);
  } catch (error) {
    problems.push(`The style sheet could not be parsed: ${messageOf(error)}`);
  }
  const { anonymousLayers: _, ...sheet } = collected;
  return { address, ...sheet, problems };
}

function cutToLength(css: string, problems: string[]): string {
  if (css.length <= MAX_SHEET_LENGTH) return css;
  const end = css.lastIndexOf("}", MAX_SHEET_LENGTH);
  problems.push(`The style sheet has ${css.length} characters; only the first ${MAX_SHEET_LENGTH} were read.`);
  return css.slice(0, end === -1 ? MAX_SHEET_LENGTH : end + 1);
}

function parseFlat(css: string, problems: string[]): readonly CssNode[] {
  const first = parseTree(css);
  if (!first.hasErrors && !first.children.some(hasNesting)) return first.children;
  const flattened = flattenNesting(css);
  if (flattened !== undefined) return parseTree(flattened).children;
  problems.push("Nested rules of the style sheet were left out: they can't be flattened within reason.");
  return first.children;
}

function parseTree(css: string): { readonly children: readonly CssNode[]; readonly hasErrors: boolean } {
  let hasErrors = false;
  const tree = parse(css, {
    parseValue: false,
    parseAtrulePrelude: false,
    parseCustomProperty: false,
    onParseError() {
      hasErrors = true;
    },
  });
  return { children: tree.type === "StyleSheet" ? tree.children.toArray() : [], hasErrors };
}

function hasNesting(node: CssNode): boolean {
  if (node.type === "Rule") return node.block.children.some((child) => child.type !== "Declaration");
  if (node.type !== "Atrule" || node.block === null || !isGroup(node)) return false;
  return node.block.children.some(hasNesting);
}

function isGroup(node: Atrule): boolean {
  return ["media", "supports", "container", "layer", "scope"].includes(node.name.toLowerCase());
}

function collectRules(nodes: Iterable<CssNode>, around: Surroundings, collected: Collected): void {
  for (const node of nodes) {
    if (node.type === "Rule") collectRule(node, around, collected);
    else if (node.type === "Atrule") collectAtRule(node, around, collected);
  }
}

function collectRule(node: Rule, around: Surroundings, collected: Collected): void {
  if (node.prelude.type !== "SelectorList") return;
  const declarations = readDeclarations(node.block.children);
  if (declarations.length === 0) return;
  const selectors = node.prelude.children
    .toArray()
    .flatMap((selector) => (selector.type === "Selector" ? (readSelector(selector) ?? []) : []));
  if (selectors.length > 0) collected.rules.push({ selectors, declarations, ...around });
}

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

function collectAtRule(node: Atrule, around: Surroundings, collected: Collected): void {
  const name = node.name.toLowerCase();
  const prelude = node.prelude?.type === "Raw" ? node.prelude.value.trim() : "";
  if (name === "import") {
    const parsed = parseImport(prelude);
    if (parsed === undefined) return;
    const layer = parsed.layer === "" ? nextAnonymousLayer("", collected) : (parsed.layer ?? "");
    if (layer !== "") collected.layers.push(layer);
    collected.imports.push({ ...parsed, layer });
  } else if (name === "layer") {
    collectLayer(node, prelude, around, collected);
  } else if (node.block === null) {
    return;
  } else if (name === "media" || name === "supports" || name === "container") {
    const conditions = [...around.conditions, { kind: name, text: prelude } as const];
    collectRules(node.block.children, { ...around, conditions }, collected);
  } else if (name === "font-face") {
    collectFontFace(node.block.children, collected);
  } else if (name === "property") {
    const initial = findRaw(node.block.children, "initial-value");
    if (initial !== undefined) collected.initialValues.set(prelude, initial);
  }
}

function collectLayer(node: Atrule, prelude: string, around: Surroundings, collected: Collected): void {
  const prefix = around.layer === "" ? "" : `${around.layer}.`;
  if (node.block === null) {
    for (const name of prelude.split(",")) collected.layers.push(prefix + name.trim());
    return;
  }
  const layer = prelude === "" ? nextAnonymousLayer(prefix, collected) : prefix + prelude;
  collected.layers.push(layer);
  collectRules(node.block.children, { ...around, layer }, collected);
}

function nextAnonymousLayer(prefix: string, collected: Collected): string {
  collected.anonymousLayers += 1;
  // A space can't stand in a layer's name, so that this one never meets a named one.
  return `${prefix}anonymous ${collected.anonymousLayers}`;
}

function collectFontFace(nodes: Iterable<CssNode>, collected: Collected): void {
  const children = [...nodes];
  const family = findRaw(children, "font-family");
  const source = findRaw(children, "src");
  if (family === undefined || source === undefined) return;
  const addresses = [...source.matchAll(/url\(\s*(?:"([^"]*)"|'([^']*)'|([^)\s]*))\s*\)/gi)].flatMap(
    (match) => match[1] ?? match[2] ?? match[3] ?? [],
  );
  collected.fontFaces.push({
    family: family.replace(/^["']|["']$/g, ""),
    addresses,
    weight: findRaw(children, "font-weight") ?? "400",
  });
}

function findRaw(nodes: Iterable<CssNode>, property: string): string | undefined {
  let found: string | undefined;
  for (const node of nodes) {
    if (node.type !== "Declaration" || node.property.toLowerCase() !== property) continue;
    if (node.value.type === "Raw") found ??= node.value.value.trim();
  }
  return found;
}

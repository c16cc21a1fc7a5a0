import type { Atrule, CssNode, Rule } from "css-tree";
import { messageOf } from "../../base/error.ts";
import { readSelector } from "./selector.ts";
import { parseImport } from "./parse-import.ts";
import { readDeclarations } from "./declarations.ts";
import { parseSheetTree } from "./sheet-tree.ts";
import type { Condition, FontFace, SheetImport, StyleRule, StyleSheet } from "./style-sheet.ts";

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
    const children = parseSheetTree(css, problems);
    collectRules(children, { conditions: [], layer: "" }, collected);
  } catch (error) {
    problems.push(`The style sheet could not be parsed: ${messageOf(error)}`);
  }
  const { anonymousLayers: _, ...sheet } = collected;
  return { address, ...sheet, problems };
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
    collectLayer({ node, prelude }, around, collected);
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

function collectLayer(
  { node, prelude }: { readonly node: Atrule; readonly prelude: string },
  around: Surroundings,
  collected: Collected,
): void {
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
    style: findRaw(children, "font-style") ?? "",
    unicodeRange: findRaw(children, "unicode-range") ?? "",
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

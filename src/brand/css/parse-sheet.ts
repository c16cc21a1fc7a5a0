import { parse, type Atrule, type CssNode, type Rule } from "css-tree";
import { messageOf } from "../../base/error.ts";
import { applyEdits } from "../../html/edits.ts";
import { findCssAddresses } from "../../html/css-addresses.ts";
import { resolveAddress } from "../document.ts";
import { readSelector, type Scope } from "./selector.ts";
import { parseSheetTree } from "./sheet-tree.ts";

/** A declaration as written: values are read when an element needs them, since they may hold `var()`. */
export interface Declaration {
  readonly property: string;
  readonly value: string;
  readonly important: boolean;
}

/** The part of a selector by which rules are looked up: something that every matching element has. */
export interface SelectorKey {
  readonly kind: "id" | "class" | "tag" | "any";
  readonly name: string;
}

/** What has to stand on an element for a theme to be switched on: `[data-theme=dark]`, `.dark`. */
export interface ThemeToggle {
  readonly kind: "attribute" | "class";
  /** Attribute name or class name. */
  readonly name: string;
  /** Attribute value; empty for a class. */
  readonly value: string;
}

/** One complex selector of a rule. */
export interface SelectorEntry {
  readonly text: string;
  readonly specificity: number;
  readonly key: SelectorKey;
  readonly toggles: readonly ThemeToggle[];
}

export interface Condition {
  readonly kind: "media" | "supports" | "container";
  readonly text: string;
}

export interface StyleRule {
  readonly selectors: readonly SelectorEntry[];
  readonly declarations: readonly Declaration[];
  /** All of them have to hold. */
  readonly conditions: readonly Condition[];
  /** Name of the cascade layer with dots between the levels; empty outside of layers. */
  readonly layer: string;
}

export interface FontFace {
  readonly family: string;
  /** Addresses as written, in order of preference. */
  readonly addresses: readonly string[];
  /** The descriptor as written: `400`, `100 900`. */
  readonly weight: string;
  /** The descriptors as written; empty where they are absent. */
  readonly style: string;
  readonly unicodeRange: string;
}

interface SheetImport {
  readonly address: string;
  readonly conditions: readonly Condition[];
  readonly layer: string;
}

/** A style sheet cut down to what matters for a brand. */
export interface StyleSheet {
  /** Where relative addresses of the sheet start. */
  readonly address: string;
  /** The sheet as written. */
  readonly text: string;
  readonly rules: readonly StyleRule[];
  /** Names of layers in the order in which the sheet mentions them. */
  readonly layers: readonly string[];
  readonly fontFaces: readonly FontFace[];
  /** Initial values of registered custom properties (`@property`). */
  readonly initialValues: ReadonlyMap<string, string>;
  readonly imports: readonly SheetImport[];
  readonly problems: readonly string[];
}

interface Collected {
  readonly address: string;
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
  /** The `@scope` around; absent outside of one. */
  readonly scope?: Scope;
}

/** Reads a style sheet. What can't be parsed is left out, as a browser does; what that hides is reported in `problems`. */
export function parseSheet(css: string, address: string): StyleSheet {
  const problems: string[] = [];
  const collected: Collected = {
    address,
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
  return { ...sheet, text: css, problems };
}

function collectRules(nodes: Iterable<CssNode>, around: Surroundings, collected: Collected): void {
  for (const node of nodes) {
    if (node.type === "Rule") collectRule(node, around, collected);
    else if (node.type === "Atrule") collectAtRule(node, around, collected);
  }
}

function collectRule(node: Rule, around: Surroundings, collected: Collected): void {
  if (node.prelude.type !== "SelectorList") return;
  const declarations = readDeclarations(node.block.children, collected.address);
  if (declarations.length === 0) return;
  const { scope, ...place } = around;
  const selectors = node.prelude.children
    .toArray()
    .flatMap((selector) => (selector.type === "Selector" ? (readSelector(selector, scope) ?? []) : []));
  if (selectors.length > 0) collected.rules.push({ selectors, declarations, ...place });
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
  } else if (name === "scope") {
    collectRules(node.block.children, { ...around, scope: readScope(prelude) }, collected);
  } else if (name === "font-face") {
    collectFontFace(node.block.children, collected);
  } else if (name === "property") {
    const initial = findRaw(node.block.children, "initial-value");
    if (initial !== undefined) collected.initialValues.set(prelude, initial);
  }
}

/** Reads `(.card) to (.content)`; without a root the scope is the whole page. */
function readScope(prelude: string): Scope {
  const match = /^(?:\(([^]*?)\))?\s*(?:to\s*\(([^]*)\))?$/i.exec(prelude);
  return { root: match?.[1]?.trim() || ":root", limit: match?.[2]?.trim() };
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
  const addresses = findCssAddresses(source).map(({ address }) => address);
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

const PATTERN = /^(?:url\(\s*)?(?:"([^"]*)"|'([^']*)'|([^"')\s]+))\s*\)?/i;

/**
 * Reads what stands behind `@import`. `layer` is `undefined` without a layer and empty for one without a name.
 */
function parseImport(
  prelude: string,
): (Omit<SheetImport, "layer"> & { readonly layer: string | undefined }) | undefined {
  const match = PATTERN.exec(prelude);
  const address = match?.[1] ?? match?.[2] ?? match?.[3];
  if (match === null || address === undefined || address === "") return undefined;
  let rest = prelude.slice(match[0].length).trim();
  const conditions: Condition[] = [];
  let layer: string | undefined;

  const layerMatch = /^layer(?:\(\s*([^)]*?)\s*\))?(?=\s|$)/i.exec(rest);
  if (layerMatch !== null) {
    layer = layerMatch[1] ?? "";
    rest = rest.slice(layerMatch[0].length).trim();
  }
  const supports = /^supports\(((?:[^()]|\([^()]*\))*)\)/i.exec(rest);
  if (supports !== null) {
    conditions.push({ kind: "supports", text: `(${supports[1] ?? ""})` });
    rest = rest.slice(supports[0].length).trim();
  }
  if (rest !== "") conditions.push({ kind: "media", text: rest });
  return { address, conditions, layer };
}

/** Properties that set colors, fonts and boxes; `display` shows what is hidden. */
const PROPERTIES = new Set(
  (
    "color background background-color background-image font font-family font-weight border border-color " +
    "border-top border-top-color border-bottom border-bottom-color fill display visibility color-scheme accent-color " +
    "font-size padding padding-top padding-block padding-left padding-inline border-radius border-width box-shadow max-width"
  ).split(" "),
);

/** The declarations that matter for a brand, values as written but for addresses of pictures, which are complete. */
function readDeclarations(nodes: Iterable<CssNode>, address?: string): readonly Declaration[] {
  const declarations: Declaration[] = [];
  for (const node of nodes) {
    if (node.type !== "Declaration" || node.value.type !== "Raw") continue;
    const isCustom = node.property.startsWith("--");
    const property = isCustom ? node.property : node.property.toLowerCase();
    if (!isCustom && !PROPERTIES.has(property)) continue;
    const text = node.value.value.trim();
    const value = address === undefined || isCustom || !PICTURE.test(text) ? text : completeAddresses(text, address);
    declarations.push({ property, value, important: node.important !== false });
  }
  return declarations;
}

const PICTURE = /url\(\s*["']?(?!data:|#)/i;

function completeAddresses(value: string, base: string): string {
  const edits = findCssAddresses(value).flatMap(({ kind, address, start, end }) => {
    const target = kind === "url" ? resolveAddress(address, base) : undefined;
    return target === undefined ? [] : [{ start, end, text: `url("${target}")` }];
  });
  return applyEdits(value, edits);
}

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

import { applyEdits } from "../../html/edits.ts";
import { findCssAddresses } from "../../html/css-addresses.ts";
import { resolveAddress } from "../document.ts";
import { SLOTS } from "./slots.ts";
import { parseSelectors, readSelector, type Scope } from "./selector.ts";
import { readBlock, readStatements, type Statement, type WrittenDeclaration } from "./sheet-tree.ts";

/** Values are read when an element needs them, since they may contain `var()`. */
export type Declaration = WrittenDeclaration;

/** The part of a selector by which rules are looked up: something that every matching element has. */
export interface SelectorKey {
  readonly kind: "id" | "class" | "tag" | "any";
  readonly name: string;
}

/** What an element must have for a theme to be active: `[data-theme=dark]`, `.dark`. */
export interface ThemeToggle {
  readonly kind: "attribute" | "class";
  /** Attribute name or class name. */
  readonly name: string;
  /** Attribute value; empty for a class. */
  readonly value: string;
  /** Whether the selector says that the element is the root: `html.dark`, `.dark body`. */
  readonly isOnRoot: boolean;
}

/** One complex selector of a rule. */
export interface SelectorEntry {
  readonly text: string;
  readonly specificity: number;
  readonly key: SelectorKey;
  /** The other classes and ids (`.card`, `#top`) without which nothing in a page can match. */
  readonly needs: readonly string[];
  /** Whether it depends on siblings, content, position, or values that elements rarely share. */
  readonly isPlaced: boolean;
  readonly toggles: readonly ThemeToggle[];
}

export interface Condition {
  readonly kind: "media" | "supports" | "container";
  readonly text: string;
}

export interface StyleRule {
  readonly selectors: readonly SelectorEntry[];
  readonly declarations: readonly Declaration[];
  /** All of these must be met. */
  readonly conditions: readonly Condition[];
  /** Name of the cascade layer, with dots between levels; empty if unlayered. */
  readonly layer: string;
}

export interface FontFace {
  readonly family: string;
  /** Addresses as written, in order of preference. */
  readonly addresses: readonly string[];
  /** The descriptor as written: `400`, `100 900`. */
  readonly weight: string;
  /** The descriptors as written; empty if absent. */
  readonly style: string;
  readonly unicodeRange: string;
}

interface SheetImport {
  readonly address: string;
  readonly conditions: readonly Condition[];
  readonly layer: string;
}

export interface RegisteredProperty {
  /** Its value where no rule sets one. */
  readonly initial: string;
  readonly isInherited: boolean;
}

/** The parts of a style sheet that matter for a brand. */
export interface StyleSheet {
  /** Base of the sheet's relative addresses. */
  readonly address: string;
  /** The complete sheet, for code that needs more than the rules below. */
  readonly statements: readonly Statement[];
  readonly rules: readonly StyleRule[];
  /** Names of layers in order of first mention. */
  readonly layers: readonly string[];
  readonly fontFaces: readonly FontFace[];
  /** Registered custom properties (`@property`) with an initial value. */
  readonly registered: ReadonlyMap<string, RegisteredProperty>;
  readonly imports: readonly SheetImport[];
  readonly problems: readonly string[];
}

interface Collected {
  readonly address: string;
  readonly rules: StyleRule[];
  readonly layers: string[];
  readonly fontFaces: FontFace[];
  readonly registered: Map<string, RegisteredProperty>;
  readonly imports: SheetImport[];
  anonymousLayers: number;
  mistakes: number;
}

interface Surroundings {
  readonly conditions: readonly Condition[];
  readonly layer: string;
  /** The enclosing `@scope`, if any. */
  readonly scope?: Scope;
}

/** Number of unreadable selectors after which the rest of a sheet is ignored. */
const MOST_MISTAKES = 20_000;

/** Parses a style sheet. Like a browser, skips what can't be parsed; what is lost is reported in `problems`. */
export function parseSheet(css: string, address: string): StyleSheet {
  const problems: string[] = [];
  const collected: Collected = {
    address,
    rules: [],
    layers: [],
    fontFaces: [],
    registered: new Map(),
    imports: [],
    anonymousLayers: 0,
    mistakes: 0,
  };
  const statements = readStatements(css, problems);
  collectRules(statements, { conditions: [], layer: "" }, collected);
  const { anonymousLayers: _, mistakes, ...sheet } = collected;
  if (mistakes > MOST_MISTAKES) problems.push("Part of the style sheet was skipped: it has too many syntax errors.");
  return { ...sheet, statements, problems };
}

function collectRules(statements: readonly Statement[], around: Surroundings, collected: Collected): void {
  for (const statement of statements) {
    if (statement.atRule === undefined) collectRule(statement, around, collected);
    else collectAtRule(statement, around, collected);
  }
}

function collectRule({ prelude, body = "" }: Statement, around: Surroundings, collected: Collected): void {
  if (collected.mistakes > MOST_MISTAKES) return;
  const declarations = readDeclarations(body, collected.address);
  if (declarations.length === 0) return;
  const parsed = parseSelectors(prelude);
  if (parsed === undefined) collected.mistakes += 1;
  const { scope, ...place } = around;
  const selectors = (parsed ?? []).flatMap((selector) => readSelector(selector, scope) ?? []);
  if (selectors.length > 0) collected.rules.push({ selectors, declarations, ...place });
}

function collectAtRule(statement: Statement, around: Surroundings, collected: Collected): void {
  const { atRule: name, prelude, body, statements } = statement;
  if (name === "import") {
    const parsed = parseImport(prelude);
    if (parsed === undefined) return;
    const layer = parsed.layer === "" ? nextAnonymousLayer(collected) : (parsed.layer ?? "");
    if (layer !== "") collected.layers.push(layer);
    collected.imports.push({ ...parsed, layer });
  } else if (name === "layer") {
    collectLayer(statement, around, collected);
  } else if (statements !== undefined && (name === "media" || name === "supports" || name === "container")) {
    const conditions = [...around.conditions, { kind: name, text: prelude } as const];
    collectRules(statements, { ...around, conditions }, collected);
  } else if (statements !== undefined && name === "scope") {
    collectRules(statements, { ...around, scope: readScope(prelude) }, collected);
  } else if (body !== undefined && name === "font-face") {
    collectFontFace(body, collected);
  } else if (body !== undefined && name === "property") {
    const declarations = readBlock(body);
    const initial = findValue(declarations, "initial-value");
    const isInherited = findValue(declarations, "inherits")?.toLowerCase() === "true";
    if (initial !== undefined) collected.registered.set(prelude, { initial, isInherited });
  }
}

/** Parses `(.card) to (.content)`; without a root, the scope is the whole page. */
export function readScope(prelude: string): Scope {
  const match = /^(?:\(([^]*?)\))?\s*(?:to\s*\(([^]*)\))?$/i.exec(prelude);
  return { root: match?.[1]?.trim() || ":root", limit: match?.[2]?.trim() };
}

function collectLayer({ prelude, statements }: Statement, around: Surroundings, collected: Collected): void {
  if (statements === undefined) {
    collected.layers.push(...prelude.split(",").map((name) => joinLayers(around.layer, name.trim())));
    return;
  }
  const layer = joinLayers(around.layer, prelude === "" ? nextAnonymousLayer(collected) : prelude);
  collected.layers.push(layer);
  collectRules(statements, { ...around, layer }, collected);
}

export function joinLayers(outer: string, inner: string): string {
  return outer === "" || inner === "" ? outer + inner : `${outer}.${inner}`;
}

function nextAnonymousLayer(collected: Collected): string {
  collected.anonymousLayers += 1;
  // A layer name can't contain a space, so this one never conflicts with a named layer.
  return `anonymous ${collected.anonymousLayers}`;
}

function collectFontFace(body: string, collected: Collected): void {
  const descriptors = readBlock(body);
  const family = findValue(descriptors, "font-family");
  const source = findValue(descriptors, "src");
  if (family === undefined || source === undefined) return;
  const addresses = findCssAddresses(source).map(({ address }) => address);
  collected.fontFaces.push({
    family: family.replace(/^["']|["']$/g, ""),
    addresses,
    weight: findValue(descriptors, "font-weight") ?? "400",
    style: findValue(descriptors, "font-style") ?? "",
    unicodeRange: findValue(descriptors, "unicode-range") ?? "",
  });
}

function findValue(declarations: readonly Declaration[], property: string): string | undefined {
  return declarations.find((declaration) => declaration.property === property)?.value;
}

const PATTERN = /^(?:url\(\s*)?(?:"([^"]*)"|'([^']*)'|([^"')\s]+))\s*\)?/i;

/** Parses the text after `@import`. `layer` is `undefined` without a layer, and empty for an anonymous one. */
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

/**
 * Returns the declarations that matter for a brand, with values as written except that image addresses are absolute.
 */
function readDeclarations(body: string, address?: string): readonly Declaration[] {
  return readBlock(body).flatMap((declaration) => {
    const { property, value } = declaration;
    const isCustom = property.startsWith("--");
    if (!isCustom && !SLOTS.has(property)) return [];
    const isComplete = address === undefined || isCustom || !PICTURE.test(value);
    return isComplete ? declaration : { ...declaration, value: completeAddresses(value, address) };
  });
}

const PICTURE = /url\(\s*["']?(?!data:|#)/i;

function completeAddresses(value: string, base: string): string {
  const edits = findCssAddresses(value).flatMap(({ kind, address, start, end }) => {
    const target = kind === "url" ? resolveAddress(address, base) : undefined;
    return target === undefined ? [] : [{ start, end, text: `url("${target}")` }];
  });
  return applyEdits(value, edits);
}

export function parseInlineStyle(style: string): readonly Declaration[] {
  return style.trim() === "" ? [] : readDeclarations(style);
}

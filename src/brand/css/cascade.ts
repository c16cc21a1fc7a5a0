import type { Element } from "domhandler";
import type { SchemeName } from "../findings.ts";
import { createConditionCheck } from "./condition.ts";
import { SLOTS, type SlotName } from "./slots.ts";
import type { Matcher } from "./matcher.ts";
import { presentationOf } from "./presentation.ts";
import { CONTENT_ATTRIBUTES } from "./selector.ts";
import {
  joinLayers,
  parseInlineStyle,
  parseSheet,
  type Condition,
  type Declaration,
  type SelectorEntry,
  type StyleRule,
  type StyleSheet,
} from "./parse-sheet.ts";

/** A sheet as applied by a page: with the conditions of its `<link>` or `@import`, possibly in a layer. */
export interface AppliedSheet {
  readonly sheet: StyleSheet;
  readonly conditions: readonly Condition[];
  readonly layer: string;
}

export interface SlotValue {
  readonly property: string;
  readonly value: string;
}

/** The declared styles of one element: for each slot the declared values, the winning one first. */
export interface DeclaredStyle {
  readonly slots: ReadonlyMap<SlotName, readonly SlotValue[]>;
  readonly custom: ReadonlyMap<string, string>;
}

export interface Cascade {
  /** `isInContainer`: whether rules that ask about the size of a container may apply. */
  declaredStyle(element: Element, around: { readonly isInContainer: boolean }): DeclaredStyle;
  /** Returns equal text for children of the same or similar parents that no rule distinguishes. */
  likenessOf(element: Element): string;
  /** Same as in the matcher. */
  isSpent(): boolean;
  readonly scheme: SchemeName;
}

interface IndexedRule {
  readonly rule: StyleRule;
  readonly selector: SelectorEntry;
  /** Position among the cascade layers; unlayered rules come last. */
  readonly layer: number;
  readonly order: number;
}

export type RuleIndex = ReadonlyMap<string, readonly IndexedRule[]>;

/** Position of the browser's own rules, before all layers. */
const BROWSER_LAYER = -1;

/** Sorts the rules of all sheets for lookup. The index is valid for every scheme and page with the same sheets. */
export function indexRules(sheets: readonly AppliedSheet[]): RuleIndex {
  const layers = orderLayers(sheets);
  const entries: IndexedRule[] = [];
  let order = 0;
  for (const { sheet, conditions, layer } of [{ sheet: USER_AGENT_SHEET, conditions: [], layer: "" }, ...sheets]) {
    for (const rule of sheet.rules) {
      order += 1;
      const name = joinLayers(layer, rule.layer);
      const position = sheet === USER_AGENT_SHEET ? BROWSER_LAYER : name === "" ? layers.size : (layers.get(name) ?? 0);
      const applied = conditions.length === 0 ? rule : { ...rule, conditions: [...conditions, ...rule.conditions] };
      for (const selector of rule.selectors) entries.push({ rule: applied, selector, layer: position, order });
    }
  }
  return Map.groupBy(entries, ({ selector: { key } }) => `${key.kind} ${key.name}`);
}

export function createCascade(index: RuleIndex, matcher: Matcher, scheme: SchemeName): Cascade {
  const isMet = createConditionCheck(scheme);

  const possible = new Map<string, readonly IndexedRule[]>();
  const candidates = new Map<string, readonly IndexedRule[]>();

  /** The rules below a key that can apply to anything in the page. */
  function rulesAt(key: string): readonly IndexedRule[] {
    const known = possible.get(key);
    if (known !== undefined) return known;
    const mayApply = ({ rule, selector }: IndexedRule) => matcher.mayMatch(selector) && rule.conditions.every(isMet);
    const rules = (index.get(key) ?? []).filter(mayApply);
    possible.set(key, rules);
    return rules;
  }

  /** Rules that may apply to elements with this name, id, and classes, in cascade order. */
  function candidatesFor({ name, attribs: { id } }: Element, classes: string): readonly IndexedRule[] {
    const key = `${name} ${id} ${classes}`;
    const known = candidates.get(key);
    if (known !== undefined) return known;
    const keys = [`tag ${name}`, "any ", ...(id === undefined ? [] : [`id ${id}`])];
    for (const className of new Set(classes.split(/\s+/))) keys.push(`class ${className}`);
    const rules = [...new Set(keys)].flatMap(rulesAt).toSorted(compareRules);
    candidates.set(key, rules);
    return rules;
  }

  function findRules(element: Element, isInContainer: boolean): readonly IndexedRule[] {
    if (matcher.isSpent()) return [];
    const rules = candidatesFor(element, matcher.attributeOf(element, "class") ?? "");
    const isAsked = ({ rule: { conditions } }: IndexedRule) =>
      isInContainer || conditions.every(({ kind }) => kind !== "container");
    return rules.filter((own) => isAsked(own) && matcher.matches(element, own.selector.text));
  }

  return {
    scheme,
    isSpent: matcher.isSpent,
    likenessOf(element) {
      const classes = matcher.attributeOf(element, "class") ?? "";
      const placed = candidatesFor(element, classes).filter(({ selector }) => selector.isPlaced);
      const matched = placed.filter(({ selector }) => matcher.matches(element, selector.text));
      const attributes = Object.entries(element.attribs).map(([name, value]) =>
        CONTENT_ATTRIBUTES.has(name) ? name : `${name}=${value}`,
      );
      return JSON.stringify([element.name, classes, attributes, matched.map(({ order }) => order)]);
    },
    declaredStyle(element, { isInContainer }) {
      const rules = findRules(element, isInContainer);
      const inline = parseInlineStyle(element.attribs["style"] ?? "");
      const authored = rules.findIndex(({ layer }) => layer !== BROWSER_LAYER);
      const firstAuthored = authored === -1 ? rules.length : authored;
      const usual = (own: readonly IndexedRule[]) =>
        own.flatMap(({ rule }) => rule.declarations.filter(({ important }) => !important));
      return declare([
        ...usual(rules.slice(0, firstAuthored)),
        ...presentationOf(element),
        ...usual(rules.slice(firstAuthored)),
        ...inline.filter(({ important }) => !important),
        ...importantOf(rules),
        ...inline.filter(({ important }) => important),
      ]);
    },
  };
}

function compareRules(a: IndexedRule, b: IndexedRule): number {
  return a.layer - b.layer || a.selector.specificity - b.selector.specificity || a.order - b.order;
}

/** Important declarations, weakest first; the earlier layer wins. */
function importantOf(rules: readonly IndexedRule[]): readonly Declaration[] {
  return rules
    .toSorted((a, b) => b.layer - a.layer || compareRules(a, b))
    .flatMap(({ rule }) => rule.declarations.filter(({ important }) => important));
}

function declare(declarations: readonly Declaration[]): DeclaredStyle {
  const slots = new Map<SlotName, SlotValue[]>();
  const custom = new Map<string, string>();
  for (const { property, value } of declarations) {
    if (property.startsWith("--")) custom.set(property, value);
    for (const slot of SLOTS.get(property) ?? []) {
      const values = slots.get(slot);
      if (values === undefined) slots.set(slot, [{ property, value }]);
      else values.unshift({ property, value });
    }
  }
  return { slots, custom };
}

/** Each layer's position in the cascade: in order of first mention, nested layers before their parent. */
function orderLayers(sheets: readonly AppliedSheet[]): ReadonlyMap<string, number> {
  const root: LayerNode = { children: new Map() };
  for (const { sheet, layer } of sheets) {
    mention(root, layer);
    for (const name of sheet.layers) mention(root, joinLayers(layer, name));
    for (const rule of sheet.rules) mention(root, joinLayers(layer, rule.layer));
  }
  return new Map(listLayers(root, "").map((name, position) => [name, position]));
}

interface LayerNode {
  readonly children: Map<string, LayerNode>;
}

/** Nobody nests layers deeper than this, and listing them is recursive. */
const DEEPEST_LAYER = 64;

function mention(root: LayerNode, layer: string): void {
  if (layer === "") return;
  let node = root;
  for (const name of layer.split(".", DEEPEST_LAYER)) {
    const child = node.children.get(name) ?? { children: new Map() };
    node.children.set(name, child);
    node = child;
  }
}

function listLayers(node: LayerNode, prefix: string): readonly string[] {
  return [...node.children].flatMap(([name, child]) => [...listLayers(child, `${prefix}${name}.`), `${prefix}${name}`]);
}

/** The browser's default styles for colors and fonts. */
const USER_AGENT_SHEET = parseSheet(
  `
  html { color: CanvasText; font-family: -imprint-default; font-weight: 400 }
  a[href] { color: LinkText }
  h1 { font-size: 2em } h2 { font-size: 1.5em } h3 { font-size: 1.17em } h5 { font-size: .83em } h6 { font-size: .67em }
  small { font-size: smaller } code, pre, kbd, samp { font-size: .8125em }
  button, input, select, textarea { font-size: 13.333px }
  button, input[type=submit], input[type=button] { padding: 1px 6px; border-width: 2px }
  b, strong, th, h1, h2, h3, h4, h5, h6 { font-weight: 700 }
  code, pre, kbd, samp { font-family: monospace }
  button, input, select, textarea { font-family: -imprint-control; font-weight: 400; color: ButtonText }
  button, input[type=submit], input[type=button], input[type=reset] { background-color: ButtonFace }
  mark { background-color: Mark; color: MarkText }
  [hidden], area, base, head, link, meta, noscript, script, style, template, title, dialog:not([open]),
  [popover] { display: none }
  `,
  "about:user-agent",
);

import { generate, parse, type CssNode, type Selector } from "css-tree";
import type { Element } from "domhandler";
import { findCssAddresses } from "../../html/css-addresses.ts";
import { applyEdits } from "../../html/edits.ts";
import type { AppliedSheet } from "../css/cascade.ts";
import { STATES, THEME_ATTRIBUTE, THEME_CLASS } from "../css/selector.ts";
import { parseSheetTree } from "../css/sheet-tree.ts";
import { resolveAddress } from "../document.ts";
import type { SchemeName } from "../findings.ts";
import type { Look } from "../page/look.ts";

/** A rule that something in the frame needs. */
export interface FrameRule {
  /** At-rules around it, the outermost first: `@media (width > 40rem)`. */
  readonly around: readonly string[];
  readonly selector: string;
  readonly declarations: readonly FrameDeclaration[];
}

export interface FrameDeclaration {
  readonly property: string;
  readonly value: string;
  readonly important: boolean;
}

export interface FrameElements {
  /** What is shown. */
  readonly shown: readonly Element[];
  /** What stands around it: only what it hands down counts. */
  readonly around: readonly Element[];
}

export interface RuleContext {
  readonly elements: FrameElements;
  readonly looks: readonly Look[];
  /** The address under which a file of the site can be loaded; `undefined`: it can't. */
  fileOf(address: string): string | undefined;
}

/** The rules of a sheet that the elements need, selectors written for elements that stand for `html` and `body`. */
export function selectRules({ sheet, conditions, layer }: AppliedSheet, context: RuleContext): readonly FrameRule[] {
  const rules: FrameRule[] = [];
  const names = namesOf([...context.elements.shown, ...context.elements.around]);
  const outer = [
    ...conditions.map(({ kind, text }) => `@${kind} ${text}`),
    ...(layer === "" ? [] : [`@layer ${layerName(layer)}`]),
  ];
  collect(parseSheetTree(sheet.text, []), outer);
  return rules;

  function collect(nodes: Iterable<CssNode>, around: readonly string[]): void {
    for (const node of nodes) {
      if (node.type === "Rule" && node.prelude.type === "SelectorList") {
        const selectors = node.prelude.children.toArray().filter((selector) => selector.type === "Selector");
        const declarations = readDeclarations(node.block.children, sheet.address, context);
        if (declarations.length > 0) addRule(selectors, declarations, around);
      } else if (node.type === "Atrule" && node.block !== null) {
        const name = node.name.toLowerCase();
        const prelude = node.prelude?.type === "Raw" ? node.prelude.value.trim() : "";
        if (name === "layer") collect(node.block.children, [...around, `@layer ${layerName(prelude)}`]);
        else if (name === "media" || name === "supports" || name === "container")
          collect(node.block.children, [...around, `@${name} ${prelude}`]);
      }
    }
  }

  function addRule(
    selectors: readonly Selector[],
    declarations: readonly FrameDeclaration[],
    around: readonly string[],
  ): void {
    for (const selector of selectors) {
      const atRest = withoutStates(selector);
      if (atRest === undefined || !mayMatch(selector, names)) continue;
      const text = generate(atRest);
      const matches = (element: Element) => context.looks.some((look) => look.matches(element, text));
      const isOfShown = context.elements.shown.some(matches);
      if (!isOfShown && !context.elements.around.some(matches)) continue;
      const own = isOfShown ? declarations : declarations.filter(({ property }) => isHandedDown(property));
      if (own.length === 0) continue;
      const { text: written, scheme } = writeSelector(selector);
      const theme = scheme === undefined ? [] : [`@media ${scheme === "dark" ? DARK : `not all and ${DARK}`}`];
      rules.push({ around: [...around, ...theme], selector: written, declarations: own });
    }
  }
}

const DARK = "(prefers-color-scheme: dark)";

function layerName(name: string): string {
  return name.trim().replaceAll(/[^\w.-]+/g, "-") || "imprint-layer";
}

interface Names {
  readonly classes: ReadonlySet<string>;
  readonly tags: ReadonlySet<string>;
}

function namesOf(elements: readonly Element[]): Names {
  const classes = elements.flatMap(({ attribs }) => (attribs["class"] ?? "").split(/\s+/));
  return { classes: new Set(classes), tags: new Set(elements.map(({ name }) => name)) };
}

/** Whether the last part of a selector names something that is there: most rules of a site are for other things. */
function mayMatch(selector: Selector, { classes, tags }: Names): boolean {
  const parts = selector.children.toArray();
  const start = parts.findLastIndex(({ type }) => type === "Combinator");
  return parts.slice(start + 1).every((part) => {
    if (part.type === "ClassSelector")
      return THEME_CLASS.test(part.name) || part.name.includes("\\") || classes.has(part.name);
    if (part.type === "TypeSelector") return part.name === "*" || tags.has(part.name.toLowerCase());
    return true;
  });
}

const OLD_PSEUDO_ELEMENTS = new Set(["before", "after", "first-line", "first-letter"]);

/** The selector of what it is about when nobody points at it; `undefined` for what is never shown here. */
function withoutStates(selector: Selector): Selector | undefined {
  const parts = selector.children.toArray();
  if (
    parts.some(
      (part) => part.type === "PseudoElementSelector" && /^(?:-webkit-|-moz-|-ms-|backdrop|view-)/.test(part.name),
    )
  )
    return undefined;
  const kept = parts.filter((part) => {
    if (part.type === "PseudoElementSelector") return false;
    if (part.type !== "PseudoClassSelector") return true;
    const name = part.name.toLowerCase();
    return !STATES.has(name) && !OLD_PSEUDO_ELEMENTS.has(name);
  });
  // A compound of nothing but states is any element.
  const whole = kept.flatMap((part, index) => {
    const before = kept[index - 1];
    const isFirst = index === 0 || before?.type === "Combinator";
    return part.type === "Combinator" && isFirst ? [ANY, part] : [part];
  });
  const last = whole.at(-1);
  const complete = last === undefined || last.type === "Combinator" ? [...whole, ANY] : whole;
  const copy = parse(generate(selector), { context: "selector" });
  if (copy.type !== "Selector") return undefined;
  copy.children.fromArray(complete);
  return copy;
}

const ANY: CssNode = { type: "TypeSelector", name: "*" };

/** The element that stands for `html`, and a class on it, for selectors of the same weight as `:root`. */
const ROOT_ELEMENT = "imprint-html";
const BODY_ELEMENT = "imprint-body";
const ROOT_CLASS = "imprint-root";

interface WrittenSelector {
  readonly text: string;
  /** The scheme in which the rule holds, where a switch on the root said so. */
  readonly scheme: SchemeName | undefined;
}

const SWITCH = String.raw`\.([\w-]+)|\[([\w-]+)[~|^$*]?=["']?([\w -]+)["']?\]`;
const SWITCHED_OFF = new RegExp(String.raw`:not\(\s*(?:${SWITCH})\s*\)`, "g");
const SWITCHED_ON = new RegExp(SWITCH, "g");

function writeSelector(selector: Selector): WrittenSelector {
  let scheme: SchemeName | undefined;
  const text = generate(selector)
    .replaceAll(SWITCHED_OFF, (...[whole, ...parts]: string[]) => {
      const own = schemeOf(parts);
      if (own === undefined) return whole ?? "";
      scheme = own === "dark" ? "light" : "dark";
      return "";
    })
    .replaceAll(SWITCHED_ON, (...[whole, ...parts]: string[]) => {
      const own = schemeOf(parts);
      if (own === undefined) return whole ?? "";
      scheme = own;
      return `.${ROOT_CLASS}`;
    })
    .replaceAll(/:root\b|:scope\b|(?<![\w\\"'=-])&/g, `.${ROOT_CLASS}`)
    .replaceAll(/(?<![\w.#\\:[-])(html|body)(?![\w-])/g, (name) => (name === "html" ? ROOT_ELEMENT : BODY_ELEMENT));
  return { text, scheme };
}

/** The scheme that a class, or an attribute with its value, switches on. */
function schemeOf([className, attribute, value]: readonly (string | undefined)[]): SchemeName | undefined {
  const isClass = className !== undefined && THEME_CLASS.test(className);
  const isAttribute = attribute !== undefined && THEME_ATTRIBUTE.test(attribute);
  if (!isClass && !isAttribute) return undefined;
  const word = (isClass ? className : value)?.toLowerCase() ?? "";
  return word.includes("dark") ? "dark" : word.includes("light") ? "light" : undefined;
}

/** What an element hands down to those in it, and what makes it as wide as it is. */
function isHandedDown(property: string): boolean {
  return (
    property.startsWith("--") ||
    /^(?:color|font(?:-.*)?|line-height|letter-spacing|word-.*|text-(?!decoration).*|list-style.*|direction|writing-mode|-webkit-font-smoothing|-moz-osx-font-smoothing|hyphens|white-space|cursor|box-sizing|max-width|width|margin(?:-(?:left|right|inline.*))?|padding-(?:left|right|inline.*)|accent-color)$/.test(
      property,
    )
  );
}

const LONGEST_VALUE = 5000;

function readDeclarations(
  nodes: Iterable<CssNode>,
  base: string,
  context: Pick<RuleContext, "fileOf">,
): readonly FrameDeclaration[] {
  return [...nodes].flatMap((node): readonly FrameDeclaration[] => {
    if (node.type !== "Declaration" || node.value.type !== "Raw") return [];
    const property = node.property.startsWith("--") ? node.property : node.property.toLowerCase();
    const value = cleanValue(property, node.value.value.trim(), { base, ...context });
    return value === undefined ? [] : [{ property, value, important: node.important !== false }];
  });
}

/** The declarations of a `style` attribute. */
export function readInlineStyle(style: string, base: string, context: Pick<RuleContext, "fileOf">) {
  const tree = parse(style, {
    context: "declarationList",
    parseValue: false,
    parseCustomProperty: false,
    onParseError() {},
  });
  return tree.type === "DeclarationList" ? readDeclarations(tree.children, base, context) : [];
}

const LEFT_OUT =
  /^(?:animation.*|behavior|-moz-binding|view-transition.*|will-change|contain|content-visibility|transition.*|scroll-.*)$/;

/** A value as it can stand elsewhere: nothing is loaded but files of the library, and nothing leaves its place. */
function cleanValue(
  property: string,
  value: string,
  { base, fileOf }: Pick<RuleContext, "fileOf"> & { readonly base: string },
): string | undefined {
  if (value.length > LONGEST_VALUE || LEFT_OUT.test(property) || /[<>]|expression\(|javascript:|@import/i.test(value))
    return undefined;
  if (property === "position" && /^(?:fixed|sticky|-webkit-sticky)$/i.test(value)) return "relative";
  const addresses = findCssAddresses(value);
  const edits = addresses.map(({ address, start, end }) => {
    if (/^data:image\/|^#/i.test(address)) return { start, end, text: value.slice(start, end) };
    const target = resolveAddress(address, base);
    const file = target === undefined ? undefined : fileOf(target);
    return { start, end, text: file === undefined ? undefined : `url("${file}")` };
  });
  const kept = edits.flatMap(({ start, end, text }) => (text === undefined ? [] : [{ start, end, text }]));
  return kept.length < edits.length ? undefined : applyEdits(value, kept);
}

import { generate, parse, type CssNode, type Selector } from "css-tree";
import type { Element } from "domhandler";
import { findCssAddresses } from "../../html/css-addresses.ts";
import { applyEdits } from "../../html/edits.ts";
import type { AppliedSheet } from "../css/cascade.ts";
import { readScope } from "../css/parse-sheet.ts";
import { isNeverAtRest, parseSelectors, scopeText, THEME_ATTRIBUTE, THEME_CLASS, type Scope } from "../css/selector.ts";
import { readBlock, type Statement, type WrittenDeclaration } from "../css/sheet-tree.ts";
import { resolveAddress } from "../document.ts";
import type { SchemeName } from "../findings.ts";
import type { Look } from "../page/look.ts";
import { dataName, isCleanAttribute } from "./clean-markup.ts";
import { isForColumn } from "./frame-parts.ts";
import { handDown } from "./handed-down.ts";

/** A rule used by an element of the frame. */
export interface FrameRule {
  /** The at-rules around it, outermost first: `@media (width > 40rem)`. */
  readonly around: readonly string[];
  readonly selector: string;
  readonly declarations: readonly WrittenDeclaration[];
}

export interface FrameElements {
  /** Headers and footers, with bars around them. */
  readonly parts: readonly Element[];
  /** The displayed elements. */
  readonly shown: readonly Element[];
  /** Their ancestors, of whose styles only the inherited ones and those of a column count. */
  readonly around: readonly Element[];
  /** All elements of the page. */
  readonly all: readonly Element[];
  /** Those ancestors whose edges are visible as spacing between a part and the window or the box of the page. */
  readonly spaced: ReadonlySet<Element>;
}

export interface RuleContext {
  readonly elements: FrameElements;
  readonly looks: readonly Look[];
  /** Size of `1rem` on the site, in CSS pixels. On other pages it may differ. */
  readonly rem: number;
  /** The address from which a file of the site can be loaded; `undefined` if it can't be. */
  fileOf(address: string): string | undefined;
}

/**
 * Selects the rules of a sheet that apply to the elements, with selectors rewritten for the elements that stand in for
 * `html` and `body`.
 */
export function selectRules({ sheet, conditions, layer }: AppliedSheet, context: RuleContext): readonly FrameRule[] {
  const rules: FrameRule[] = [];
  const { shown, around: outside, all } = context.elements;
  const names = { ...namesOf([...shown, ...outside]), ofPage: namesOf(all).classes };
  const outer = [
    ...conditions.map(({ kind, text }) => `@${kind} ${text}`),
    ...(layer === "" ? [] : [`@layer ${layerName(layer)}`]),
  ];
  collect(sheet.statements, outer);
  return rules;

  function collect(statements: readonly Statement[], around: readonly string[], scope?: Scope): void {
    for (const statement of statements) {
      const { atRule, prelude } = statement;
      if (atRule === undefined) addRule(statement, around, scope);
      else if (statement.statements === undefined) continue;
      else if (atRule === "layer") collect(statement.statements, [...around, `@layer ${layerName(prelude)}`], scope);
      // In the frame, its root may be an element that stands in for another one.
      else if (atRule === "scope") collect(statement.statements, around, readScope(prelude));
      else collect(statement.statements, [...around, `@${atRule} ${prelude}`], scope);
    }
  }

  // In a row, a header alone would be as wide as the row's other parts leave it.
  function isColumn(elements: readonly Element[]): boolean {
    return elements.every((element) => context.looks.every((look) => look.styleOf(element).isColumn));
  }

  function addRule({ prelude, body = "" }: Statement, around: readonly string[], scope: Scope | undefined): void {
    if (!mayMatch(prelude, names)) return;
    // Most rules don't match anything in the frame, so their declarations aren't cleaned.
    let cleaned: readonly WrittenDeclaration[] | undefined;
    for (const selector of selectorsOf(prelude, scope)) {
      const atRest = withoutStates(selector);
      if (atRest === undefined) continue;
      const text = generate(atRest);
      const matches = (element: Element) => context.looks.some((look) => look.matches(element, text));
      const isOfShown = context.elements.shown.some(matches);
      const parents = isOfShown ? [] : context.elements.around.filter(matches);
      if (!isOfShown && parents.length === 0) continue;
      const declarations = (cleaned ??= cleanDeclarations(body, sheet.address, context));
      const { text: written, scheme } = writeSelector(selector);
      // With a single look, its theme toggle is always on.
      const isSwitched = scheme !== undefined && context.looks.length > 1;
      const theme = !isSwitched ? [] : [`@media ${scheme === "dark" ? DARK : `not all and ${DARK}`}`];
      const rule = { around: [...around, ...theme], selector: written };
      if (isOfShown) {
        const isOfPart = context.elements.parts.some(matches);
        rules.push({ ...rule, declarations: declarations.filter((own) => !isOfPart || !isForColumn(own)) });
        continue;
      }
      const isSpaced = parents.every((element) => context.elements.spaced.has(element));
      const layout = isColumn(parents) ? declarations.filter(({ property }) => COLUMN.test(property)) : [];
      rules.push({ ...rule, declarations: layout }, ...handDown({ ...rule, declarations }, { isSpaced }));
    }
  }
}

function selectorsOf(prelude: string, scope: Scope | undefined): readonly Selector[] {
  const selectors = parseSelectors(prelude) ?? [];
  if (scope === undefined) return selectors;
  return selectors.flatMap((selector) => parseSelectors(scopeText(generate(selector), scope)) ?? []);
}

const DARK = "(prefers-color-scheme: dark)";

function layerName(name: string): string {
  return name.trim().replaceAll(/[^\w.-]+/g, "-") || "imprint-layer";
}

interface Names {
  readonly classes: ReadonlySet<string>;
  readonly tags: ReadonlySet<string>;
  /** Classes of all elements of the page. */
  readonly ofPage: ReadonlySet<string>;
}

function namesOf(elements: readonly Element[]): Omit<Names, "ofPage"> {
  const classes = elements.flatMap(({ attribs }) => (attribs["class"] ?? "").split(/\s+/)).map(plainName);
  return { classes: new Set(classes), tags: new Set(elements.map(({ name }) => name)) };
}

/** Replaces each character that selectors must escape with an underscore. */
function plainName(name: string): string {
  return name.replaceAll(/[^\w-]/gu, "_");
}

const ESCAPED = /\\(?:([\da-f]{1,6})\s?|([^]))/giu;
const BRACKETS = /\([^()]*\)|\[[^[\]]*\]/g;

/**
 * Whether one of the selectors may match an element, judging by the class and tag names in its last compound, and by
 * classes that the page doesn't have. Most rules of a site match nothing here, and parsing a selector costs more than
 * this check.
 */
function mayMatch(list: string, names: Names): boolean {
  let text = list.replaceAll(ESCAPED, (_, hex: string | undefined, character = "") =>
    plainName(hex === undefined ? character : String.fromCodePoint(Number.parseInt(hex, 16) % 0x110000)),
  );
  for (let before = ""; before !== text && text.includes("(");) [before, text] = [text, text.replaceAll(BRACKETS, "")];
  return text
    .replaceAll(BRACKETS, "")
    .split(",")
    .some((selector) => {
      const last =
        selector
          .trim()
          .split(/[\s>+~]+/)
          .at(-1) ?? "";
      const tag = /^[\w-]+/.exec(last)?.[0];
      return (
        (tag === undefined || names.tags.has(tag.toLowerCase())) &&
        hasClasses(last, names.classes) &&
        hasClasses(selector, names.ofPage)
      );
    });
}

function hasClasses(selector: string, known: ReadonlySet<string>): boolean {
  const classes = Array.from(selector.matchAll(/\.([^\s.:#*&>+~]+)/g), ([, name = ""]) => plainName(name));
  return classes.every((name) => known.has(name) || THEME_CLASS.test(name));
}

/**
 * Returns the selector without states such as `:hover`; `undefined` for pseudo-elements that are never displayed here.
 */
function withoutStates(selector: Selector): Selector | undefined {
  const parts = selector.children.toArray();
  if (
    parts.some(
      (part) => part.type === "PseudoElementSelector" && /^(?:-webkit-|-moz-|-ms-|backdrop|view-)/.test(part.name),
    )
  )
    return undefined;
  const kept = parts.filter((part) => !isNeverAtRest(part));
  // A compound of only states matches any element.
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

/** Stands in for `html`. Its class gives selectors the same specificity as `:root`. */
const ROOT_ELEMENT = "imprint-html";
const BODY_ELEMENT = "imprint-body";
const ROOT_CLASS = "imprint-root";

interface WrittenSelector {
  readonly text: string;
  /** The scheme in which the rule applies, if a theme toggle on the root specifies one. */
  readonly scheme: SchemeName | undefined;
}

// A name followed by an escape is a different name: `.dark\:hidden`.
const SWITCH = String.raw`\.([\w-]+)(?![\w\\-])|\[([\w-]+)[~|^$*]?=["']?([\w -]+)["']?\]`;
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
    .replaceAll(ATTRIBUTE, (_, name: string) => `[${isCleanAttribute(name) ? name : dataName(name)}`)
    .replaceAll(/(?<![\w.#\\:[-])(html|body)(?![\w-])/g, (name) => (name === "html" ? ROOT_ELEMENT : BODY_ELEMENT));
  return { text, scheme };
}

// An escaped bracket is part of a class: `.w-\[10px\]`.
const ATTRIBUTE = /(?<!\\)\[([a-z][a-z\d-]*)/g;

/** Attributes used by selectors that other pages don't allow, from tools that write styles as attributes. */
export function styleAttributes(rules: readonly FrameRule[]): ReadonlySet<string> {
  const start = dataName("");
  const names = rules.flatMap(({ selector }) => Array.from(selector.matchAll(ATTRIBUTE), ([, name = ""]) => name));
  return new Set(names.filter((name) => name.startsWith(start)).map((name) => name.slice(start.length)));
}

/** The scheme enabled by a class, or by an attribute with its value. */
function schemeOf([className, attribute, value]: readonly (string | undefined)[]): SchemeName | undefined {
  const isClass = className !== undefined && THEME_CLASS.test(className);
  const isAttribute = attribute !== undefined && THEME_ATTRIBUTE.test(attribute);
  if (!isClass && !isAttribute) return undefined;
  const word = (isClass ? className : value)?.toLowerCase() ?? "";
  return /dark|night/.test(word) ? "dark" : /light|day/.test(word) ? "light" : undefined;
}

/** What decides how wide the parts of a flexible column are, and where they stand. */
const COLUMN = /^(?:display|flex-direction|flex-flow|align-items)$/;

const LONGEST_VALUE = 5000;

/** Returns the declarations of a block or a `style` attribute that can be used on other pages. */
export function cleanDeclarations(
  body: string,
  base: string,
  context: Pick<RuleContext, "fileOf" | "rem">,
): readonly WrittenDeclaration[] {
  return readBlock(body).flatMap((declaration) => {
    const value = cleanValue(declaration.property, declaration.value, { base, ...context });
    return value === undefined ? [] : { ...declaration, value };
  });
}

const LEFT_OUT =
  /^(?:animation.*|behavior|-moz-binding|view-transition.*|will-change|contain|content-visibility|transition.*|scroll-.*)$/;

/**
 * Returns a value for use on other pages: it loads only files from the library, and fixed or sticky positions become
 * relative.
 */
function cleanValue(
  property: string,
  value: string,
  { base, fileOf, rem }: Pick<RuleContext, "fileOf" | "rem"> & { readonly base: string },
): string | undefined {
  if (value.length > LONGEST_VALUE || LEFT_OUT.test(property) || /[<>]|expression\(|javascript:|@import/i.test(value))
    return undefined;
  if (property === "position" && /^(?:fixed|sticky|-webkit-sticky)$/i.test(value)) return "relative";
  const addresses = findCssAddresses(value);
  if (addresses.length === 0) return scaleRem(value, rem / USUAL_REM);
  const edits = addresses.map(({ address, start, end }) => {
    if (/^data:image\/|^#/i.test(address)) return { start, end, text: value.slice(start, end) };
    const target = resolveAddress(address, base);
    const file = target === undefined ? undefined : fileOf(target);
    return { start, end, text: file === undefined ? undefined : `url("${file}")` };
  });
  const kept = edits.flatMap(({ start, end, text }) => (text === undefined ? [] : [{ start, end, text }]));
  return kept.length < edits.length ? undefined : applyEdits(value, kept);
}

const USUAL_REM = 16;

function scaleRem(value: string, factor: number): string {
  if (factor === 1) return value;
  return value.replaceAll(
    /(?<![\w.#-])(-?(?:\d+\.?\d*|\.\d+))rem\b/gi,
    (_, size: string) => `${Math.round(Number(size) * factor * 10_000) / 10_000}rem`,
  );
}

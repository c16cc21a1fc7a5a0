import { generate, ident, parse, walk, type CssNode, type PseudoClassSelector, type Selector } from "css-tree";
import type { SelectorEntry, SelectorKey, ThemeToggle } from "./parse-sheet.ts";

/** States that an element at rest doesn't have. */
export const STATES: ReadonlySet<string> = new Set(
  (
    "hover active focus focus-visible focus-within visited target target-within checked indeterminate disabled " +
    "read-only invalid user-invalid valid user-valid out-of-range autofill -webkit-autofill fullscreen " +
    "-webkit-full-screen modal popover-open open playing paused placeholder-shown -moz-focusring host host-context " +
    "-ms-input-placeholder -moz-placeholder"
  ).split(" "),
);

/** Single-colon notations of pseudo-elements. */
const OLD_PSEUDO_ELEMENTS = new Set(["before", "after", "first-line", "first-letter"]);

const LONGEST_SELECTOR = 1000;
export const THEME_ATTRIBUTE = /theme|mode|scheme|appearance/i;
export const THEME_CLASS =
  /^(?:(?:is-|theme-|mode-|color-scheme-|scheme-)?(?:dark|light)(?:-(?:theme|mode|scheme))?|(?:night|day)-(?:theme|mode))$/i;

const SPECIFICITY_ID = 1_000_000;
const SPECIFICITY_CLASS = 1000;

/** An `@scope`, with selector lists as written. */
export interface Scope {
  readonly root: string;
  /** Lower boundary of the scope, if any. */
  readonly limit: string | undefined;
}

/** Parses the selectors of a list. Returns `undefined` if one can't be parsed, since browsers then skip the rule. */
export function parseSelectors(list: string): readonly Selector[] | undefined {
  // css-tree creates an error with a full stack for every mistake, which nobody reads.
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    const tree = parse(list, { context: "selectorList" });
    return tree.type === "SelectorList"
      ? tree.children.toArray().filter((child) => child.type === "Selector")
      : undefined;
  } catch {
    // A selector that browsers don't support either.
    return undefined;
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/**
 * Converts the selectors of a nested rule for use outside its parent (CSS Nesting 1): `&` is what the parent rule
 * matches, and a selector without it begins with one. Returns `undefined` if a list can't be parsed.
 */
export function nestSelectors(list: string, around: string): string | undefined {
  const parents = parseSelectors(around);
  const [parent] = parents ?? [];
  if (parents === undefined || parent === undefined) return undefined;
  const isCompound = !parent.children.some(({ type }) => type === "Combinator");
  // As written if the meaning is the same: then its specificity is kept, and it can be looked up by its last part.
  const [atStart, elsewhere] = parents.length > 1 ? [`:is(${around})`] : [around, isCompound ? around : undefined];
  const nested = parseSelectors(list)?.map((selector) => {
    const isRelative = selector.children.first?.type === "Combinator";
    let refers = false;
    walk(selector, {
      visit: "NestingSelector",
      enter(_, item, siblings) {
        refers = true;
        const startsCompound = item.prev === null || item.prev.data.type === "Combinator";
        const plain = item.prev === null && siblings === selector.children ? atStart : elsewhere;
        item.data = { type: "Raw", value: (startsCompound ? plain : undefined) ?? `:is(${around})` };
      },
    });
    const text = generate(selector);
    if (isRelative) return atStart + text;
    return refers ? text : `${atStart} ${text}`;
  });
  return nested?.join();
}

/** Returns what the cascade needs from a complex selector, or `undefined` if it can't match an element at rest. */
export function readSelector(selector: Selector, scope?: Scope): SelectorEntry | undefined {
  if (selector.children.some(isNeverAtRest)) return undefined;
  const text = scopeText(generate(selector), scope);
  if (text.length > LONGEST_SELECTOR) return undefined;
  return {
    text,
    specificity: specificityOf(selector),
    ...lookupOf(selector),
    isPlaced: PLACED.test(text),
    toggles: togglesOf(selector),
  };
}

/** Attributes whose values differ for nearly every element. */
export const CONTENT_ATTRIBUTES: ReadonlySet<string> = new Set(["href", "src", "srcset", "alt", "title", "aria-label"]);

/**
 * Sibling combinators, values of the attributes above, and all pseudo-classes except those about the element itself and
 * its ancestors.
 */
const PLACED = new RegExp(
  `[+~]|\\[\\s*(?:${[...CONTENT_ATTRIBUTES].join("|")})\\s*[|^$*]?=` +
    String.raw`|:(?!(?:root|not|is|where|matches|link|any-link|lang|dir|defined)\b)`,
  "i",
);

/** Writes a selector for use outside its scope, if any, without adding specificity. */
export function scopeText(text: string, scope: Scope | undefined): string {
  // Outside any rule, `&` and `:scope` are the root of the page or of the enclosing scope.
  const root = scope === undefined ? ":root" : `:is(${scope.root})`;
  const whole = text.replaceAll(/(?<![\w\\"'=-])(?:&|:scope\b)/g, root);
  if (scope === undefined || scope.root === ":root") return whole;
  const limit = scope.limit === undefined ? "" : `:not(:is(${scope.limit}),:is(${scope.limit}) *)`;
  const pseudo = PSEUDO_ELEMENT.exec(whole)?.index ?? whole.length;
  return `${whole.slice(0, pseudo)}:where(:is(${scope.root},:is(${scope.root}) *)${limit})${whole.slice(pseudo)}`;
}

const PSEUDO_ELEMENT = /(?<!\\):(?::|(?:before|after|first-line|first-letter)\b)/i;

/** Whether it is a state or a pseudo-element, so that no element at rest matches it. */
export function isNeverAtRest(part: CssNode): boolean {
  if (part.type !== "PseudoClassSelector") return part.type === "PseudoElementSelector";
  const name = part.name.toLowerCase();
  return STATES.has(name) || OLD_PSEUDO_ELEMENTS.has(name);
}

function specificityOf(selector: CssNode): number {
  if (selector.type !== "Selector") return 0;
  let total = 0;
  for (const part of selector.children) total += specificityOfPart(part);
  return total;
}

function specificityOfPart(part: CssNode): number {
  switch (part.type) {
    case "IdSelector":
      return SPECIFICITY_ID;
    case "ClassSelector":
    case "AttributeSelector":
      return SPECIFICITY_CLASS;
    case "TypeSelector":
      return part.name === "*" || part.name.endsWith("|*") ? 0 : 1;
    case "PseudoElementSelector":
      return 1;
    case "PseudoClassSelector":
      return specificityOfPseudo(part.name.toLowerCase(), part.children?.toArray() ?? []);
    default:
      return 0;
  }
}

function specificityOfPseudo(name: string, parameters: readonly CssNode[]): number {
  if (name === "where") return 0;
  const inner = Math.max(0, ...parameters.flatMap(selectorsIn).map(specificityOf));
  return name === "is" || name === "not" || name === "has" || name === "matches" ? inner : SPECIFICITY_CLASS + inner;
}

function selectorsIn(node: CssNode): readonly CssNode[] {
  if (node.type === "SelectorList") return node.children.toArray();
  if (node.type === "Nth") return node.selector === null ? [] : selectorsIn(node.selector);
  return [];
}

function lookupOf(selector: Selector): Pick<SelectorEntry, "key" | "needs"> {
  const key = keyOf(selector);
  const known = `${SIGNS[key.kind]}${key.name}`;
  return { key, needs: [...new Set(namesIn(selector))].filter((name) => name !== known) };
}

const SIGNS = { id: "#", class: ".", tag: "", any: "" } as const;

/** Pseudo-classes whose single selector must match somewhere in the page. */
const MATCHING = new Set(["is", "where", "has", "matches", "-webkit-any", "-moz-any"]);

function namesIn(selector: CssNode): readonly string[] {
  if (selector.type !== "Selector") return [];
  return selector.children.toArray().flatMap((part): readonly string[] => {
    if (part.type === "IdSelector") return [`#${ident.decode(part.name)}`];
    if (part.type === "ClassSelector") return [`.${ident.decode(part.name)}`];
    if (part.type !== "PseudoClassSelector" || !MATCHING.has(part.name.toLowerCase())) return [];
    const inner = (part.children?.toArray() ?? []).flatMap(selectorsIn);
    return inner.length === 1 && inner[0] !== undefined ? namesIn(inner[0]) : [];
  });
}

const ANY_KEY: SelectorKey = { kind: "any", name: "" };
const KEY_RANK = { id: 3, class: 2, tag: 1, any: 0 } as const;

function keyOf(selector: CssNode): SelectorKey {
  if (selector.type !== "Selector") return ANY_KEY;
  let best = ANY_KEY;
  for (const part of selector.children) {
    if (part.type === "Combinator") best = ANY_KEY;
    const key = keyOfPart(part);
    if (KEY_RANK[key.kind] > KEY_RANK[best.kind]) best = key;
  }
  return best;
}

function keyOfPart(part: CssNode): SelectorKey {
  if (part.type === "IdSelector") return { kind: "id", name: ident.decode(part.name) };
  if (part.type === "ClassSelector") return { kind: "class", name: ident.decode(part.name) };
  if (part.type === "TypeSelector" && part.name !== "*") return { kind: "tag", name: part.name.toLowerCase() };
  if (part.type !== "PseudoClassSelector") return ANY_KEY;
  const name = part.name.toLowerCase();
  if (name === "root") return { kind: "tag", name: "html" };
  if (name === "scope") return ANY_KEY;
  if (name !== "is" && name !== "where") return ANY_KEY;
  const inner = (part.children?.toArray() ?? []).flatMap(selectorsIn);
  return inner.length === 1 && inner[0] !== undefined ? keyOf(inner[0]) : ANY_KEY;
}

/** Returns toggles on an element that may be the root: combined only with `html`, `body`, or `:root`. */
function togglesOf(selector: CssNode): readonly ThemeToggle[] {
  return togglesIn(compoundsOf(selector));
}

function togglesIn(compounds: readonly (readonly CssNode[])[]): readonly ThemeToggle[] {
  const isAroundBody = (position: number) => compounds.slice(position + 1).some((parts) => parts.some(isRootType));
  return compounds.flatMap((parts, position) => {
    const toggles = parts.map(togglesOfPart);
    // Around an element that isn't the root, there may be one: `.card:is(.dark *)`.
    if (toggles.includes(undefined)) return parts.flatMap(innerSelectors).flatMap(togglesAround);
    const isOnRoot = parts.some(isRootType) || isAroundBody(position);
    return toggles.flatMap((own) => own ?? []).map((toggle) => (isOnRoot ? { ...toggle, isOnRoot } : toggle));
  });
}

/** Returns the toggles of a selector that are on elements around the one that it selects. */
function togglesAround(selector: CssNode): readonly ThemeToggle[] {
  return togglesIn(compoundsOf(selector).slice(0, -1));
}

function compoundsOf(selector: CssNode): readonly (readonly CssNode[])[] {
  if (selector.type !== "Selector") return [];
  const compounds: CssNode[][] = [[]];
  for (const part of selector.children) {
    if (part.type === "Combinator") compounds.push([]);
    else compounds.at(-1)?.push(part);
  }
  return compounds;
}

function isRootType(part: CssNode): boolean {
  if (part.type === "PseudoClassSelector") return part.name.toLowerCase() === "root";
  return part.type === "TypeSelector" && ["html", "body"].includes(part.name.toLowerCase());
}

/** Returns `undefined` if the part can't match the root element. */
function togglesOfPart(part: CssNode): readonly ThemeToggle[] | undefined {
  switch (part.type) {
    case "TypeSelector":
      return ["html", "body", "*"].includes(part.name.toLowerCase()) ? [] : undefined;
    case "ClassSelector": {
      const name = ident.decode(part.name);
      return THEME_CLASS.test(name) ? [{ kind: "class", name, value: "", isOnRoot: false }] : undefined;
    }
    case "AttributeSelector": {
      const value = part.value === null ? "" : part.value.type === "String" ? part.value.value : part.value.name;
      const isTheme = THEME_ATTRIBUTE.test(part.name.name) && value !== "";
      return isTheme ? [{ kind: "attribute", name: part.name.name, value, isOnRoot: false }] : undefined;
    }
    case "PseudoClassSelector":
      if (["root", "not", "host"].includes(part.name.toLowerCase())) return [];
      return isMatchAny(part) ? innerSelectors(part).flatMap(togglesOf) : undefined;
    default:
      return undefined;
  }
}

/** The selectors of `:is()` and `:where()`. */
function innerSelectors(part: CssNode): readonly CssNode[] {
  return isMatchAny(part) ? (part.children?.toArray() ?? []).flatMap(selectorsIn) : [];
}

function isMatchAny(part: CssNode): part is PseudoClassSelector {
  return part.type === "PseudoClassSelector" && ["is", "where"].includes(part.name.toLowerCase());
}

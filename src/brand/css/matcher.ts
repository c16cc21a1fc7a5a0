import { compile, type Options } from "css-select";
import { isTag, type AnyNode, type Element } from "domhandler";
import { getChildren, getParent, getSiblings, prevElementSibling, removeSubsets, textContent } from "domutils";
import { messageOf } from "../../base/error.ts";
import { createBudget, type Budget } from "../budget.ts";
import type { SelectorEntry } from "./parse-sheet.ts";
import { STATES } from "./selector.ts";

/** Maximum number of document steps for matching one selector against one element. */
const STEPS_PER_MATCH = 5000;
/** Maximum number of steps for all selectors of a page. */
const STEPS_PER_PAGE = 1_000_000;

/** Reads an attribute; an active theme overrides the attributes that it sets. */
export type ReadAttribute = (element: Element, name: string) => string | undefined;

export interface Matcher {
  readonly attributeOf: ReadAttribute;
  matches(element: Element, selector: string): boolean;
  /** Whether the page has everything that the selector names. Most rules of a large site name what other pages have. */
  mayMatch(selector: SelectorEntry): boolean;
  /** Whether the page's budget is spent: from then on nothing matches. */
  isSpent(): boolean;
  /** Selectors that took too many steps, with the reason. */
  readonly problems: ReadonlyMap<string, string>;
}

/**
 * Matches selectors against elements of one page, within a budget. `names`: all classes and ids that elements of the
 * page may have (`.card`, `#top`); default: any.
 */
export function createMatcher(attributeOf: ReadAttribute, names?: ReadonlySet<string>): Matcher {
  const compiled = new Map<string, (element: Element) => boolean>();
  const problems = new Map<string, string>();
  const page = createBudget(STEPS_PER_PAGE);
  let perMatch = createBudget(STEPS_PER_MATCH);
  const options = createOptions(attributeOf, (steps) => {
    perMatch.spend(steps);
    page.spend(steps);
  });

  function compileSelector(selector: string): (element: Element) => boolean {
    try {
      return compile<AnyNode, Element>(selector, options);
    } catch {
      // A selector that current browsers don't support either (`:-ms-lang`): its rule never applies.
      return matchesNothing;
    }
  }

  return {
    attributeOf,
    problems,
    isSpent: () => page.isSpent(),
    mayMatch: ({ needs }) => names === undefined || needs.every((name) => names.has(name)),
    matches(element, selector) {
      if (page.isSpent()) return false;
      const test = compiled.get(selector) ?? compileSelector(selector);
      compiled.set(selector, test);
      perMatch = createBudget(STEPS_PER_MATCH);
      try {
        page.spend(1);
        return test(element);
      } catch (error) {
        // Which selector exceeded the page's budget is irrelevant, since all of them used it up.
        problems.set(page.isSpent() ? "all selectors" : selector, messageOf(error));
        compiled.set(selector, matchesNothing);
        return false;
      }
    },
  };
}

function matchesNothing(): boolean {
  return false;
}

const PSEUDO_CLASSES: Options<AnyNode, Element>["pseudos"] = {
  ...Object.fromEntries([...STATES].map((name) => [name, matchesNothing])),
  defined: (element) => !element.name.includes("-"),
  dir: (_, direction) => direction === "ltr",
  lang: (element, language) => languageOf(element).startsWith((language ?? "").toLowerCase().replace(/["']/g, "")),
};

function languageOf(element: Element): string {
  for (let node: AnyNode | null = element; node !== null; node = node.parent) {
    const language = isTag(node) ? node.attribs["lang"] : undefined;
    if (language !== undefined) return language.toLowerCase();
  }
  return "";
}

function createOptions(attributeOf: ReadAttribute, spend: Budget["spend"]): Options<AnyNode, Element> {
  return {
    pseudos: PSEUDO_CLASSES,
    cacheResults: false,
    adapter: {
      isTag,
      getName: (element) => element.name,
      getText: textContent,
      removeSubsets,
      getAttributeValue: attributeOf,
      hasAttrib: (element, name) => attributeOf(element, name) !== undefined,
      getParent(element) {
        spend(1);
        return getParent(element);
      },
      getChildren(node) {
        const children = getChildren(node);
        spend(1 + children.length);
        return children;
      },
      getSiblings(node) {
        const siblings = getSiblings(node);
        spend(1 + siblings.length);
        return siblings;
      },
      prevElementSibling(node) {
        spend(1);
        return prevElementSibling(node);
      },
    },
  };
}

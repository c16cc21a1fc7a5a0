import type { Element } from "domhandler";
import { createCascade, type AppliedSheet, type RuleIndex } from "../css/cascade.ts";
import { createStyler, type ComputedStyle, type Styler } from "../css/computed-style.ts";
import { createMatcher, type ReadAttribute } from "../css/matcher.ts";
import { lightnessOf } from "../color/contrast.ts";
import type { SchemeName } from "../findings.ts";
import type { PageDocument } from "./document.ts";
import { asDelivered, findToggles, withTheme, type ThemeToggles } from "./theme.ts";
import { findPageSurface } from "./page-surface.ts";

/** A page as it looks in one scheme. */
export interface Look {
  readonly scheme: SchemeName;
  styleOf(element: Element): ComputedStyle;
  /** What could not be read or matched, with the reason. */
  problems(): ReadonlyMap<string, string>;
}

export interface PageLooks {
  readonly light: Look | undefined;
  readonly dark: Look | undefined;
  readonly defaultScheme: SchemeName;
}

export interface LookSources {
  readonly index: RuleIndex;
  readonly sheets: readonly AppliedSheet[];
}

/** The looks of a page: as it was delivered, and the other way round when its styles have that. */
export function createLooks(page: PageDocument, { index, sheets }: LookSources): PageLooks {
  const toggles = findToggles(sheets);
  const initialValues = new Map(sheets.flatMap(({ sheet }) => [...sheet.initialValues]));
  const look = (scheme: SchemeName, attributeOf: ReadAttribute): Look =>
    createLook(scheme, createStylerFor(index, { scheme, attributeOf, initialValues }));

  const delivered = look("light", hasThemeOnRoot(page, toggles) ? asDelivered : withTheme(toggles, "light"));
  if (isDarkLook(page, delivered)) {
    const light = canSwitchToLight(page, toggles) ? look("light", withTheme(toggles, "light")) : undefined;
    const hasLight = light !== undefined && !isDarkLook(page, light);
    return {
      light: hasLight ? light : undefined,
      // What is delivered is what visitors see, even where a theme of the framework underneath is dark in another way.
      dark: { ...delivered, scheme: "dark" },
      defaultScheme: hasLight && followsPreference(page) ? "light" : "dark",
    };
  }
  const dark = look("dark", withTheme(toggles, "dark"));
  return { light: delivered, dark: isDarkLook(page, dark) ? dark : undefined, defaultScheme: "light" };
}

interface StylerSources {
  readonly scheme: SchemeName;
  readonly attributeOf: ReadAttribute;
  readonly initialValues: ReadonlyMap<string, string>;
}

interface StylerWithProblems extends Styler {
  readonly costly: ReadonlyMap<string, string>;
}

function createStylerFor(index: RuleIndex, { scheme, attributeOf, initialValues }: StylerSources): StylerWithProblems {
  const matcher = createMatcher(attributeOf);
  const styler = createStyler(createCascade(index, matcher, scheme), initialValues);
  return { ...styler, costly: matcher.problems };
}

function createLook(scheme: SchemeName, styler: StylerWithProblems): Look {
  return {
    scheme,
    styleOf: styler.styleOf,
    problems: () => {
      const costly = [...styler.costly].map(([selector, message]): [string, string] => [
        selector.slice(0, 200),
        `Matching was given up: ${message}`,
      ]);
      return new Map([...styler.problems(), ...costly]);
    },
  };
}

function isDarkLook(page: PageDocument, look: Look): boolean {
  const surface = findPageSurface(page, look);
  return surface !== undefined && lightnessOf(surface.style.surface) < 0.5;
}

function hasThemeOnRoot(page: PageDocument, toggles: ThemeToggles): boolean {
  return [...toggles.light, ...toggles.dark].some(({ kind, name }) =>
    [page.html, page.body].some((element) => {
      const value = element?.attribs[kind === "class" ? "class" : name];
      return value !== undefined && (kind === "attribute" || value.split(/\s+/).includes(name));
    }),
  );
}

/** A theme attribute can have either value; a class that is there for good needs something that takes it away. */
function canSwitchToLight(page: PageDocument, toggles: ThemeToggles): boolean {
  return toggles.light.length > 0 || scriptsMention(page, /classList|className|localStorage|matchMedia/);
}

function followsPreference(page: PageDocument): boolean {
  return scriptsMention(page, /prefers-color-scheme/);
}

function scriptsMention(page: PageDocument, words: RegExp): boolean {
  return page.elements.some(
    (element) =>
      element.name === "script" &&
      element.children.some(
        (child) => child.type === "text" && words.test(child.data) && /dark|light/.test(child.data),
      ),
  );
}

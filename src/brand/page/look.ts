import type { Element } from "domhandler";
import { lightnessOf } from "../color/contrast.ts";
import { createCascade, type AppliedSheet, type RuleIndex } from "../css/cascade.ts";
import type { CustomProperties } from "../css/values.ts";
import { createRootStyle, createStyler, type ComputedStyle } from "../css/computed-style.ts";
import { createMatcher, type ReadAttribute } from "../css/matcher.ts";
import { PROSE_CLASSES, type PageDocument } from "../document.ts";
import type { SchemeName } from "../findings.ts";
import { findPageSurface } from "./page-surface.ts";
import { hasThemeSwitch, type PageScripts } from "./theme-switch.ts";
import { findToggles, type ThemeToggles } from "./theme-toggles.ts";

/** A page as displayed in one scheme. */
export interface Look {
  readonly scheme: SchemeName;
  styleOf(element: Element): ComputedStyle;
  /** Whether an element matches a selector in this scheme. */
  matches(element: Element, selector: string): boolean;
  /** What couldn't be read or matched, with the reason. */
  problems(): ReadonlyMap<string, string>;
}

export interface PageLooks {
  readonly light: Look | undefined;
  readonly dark: Look | undefined;
  readonly defaultScheme: SchemeName;
  /** Whether visitors get the default scheme whatever their system prefers. */
  readonly isFixed: boolean;
}

/** The looks that visitors get without a choice of their own. */
export function usualLooksOf(looks: PageLooks): readonly Look[] {
  return looksOf(looks).filter(({ scheme }) => !looks.isFixed || scheme === looks.defaultScheme);
}

export function looksOf({ light, dark }: PageLooks): readonly Look[] {
  return [light, dark].filter((look) => look !== undefined);
}

/** Creates the looks of a page: as delivered, and in the other scheme if its styles define one. */
export function createLooks(
  page: PageDocument,
  {
    sheets,
    index,
    scripts,
  }: { readonly sheets: readonly AppliedSheet[]; readonly index: RuleIndex; readonly scripts: PageScripts },
): PageLooks {
  const toggles = findToggles(page, sheets, scripts);
  const names = namesIn(page, toggles);
  const look = (scheme: SchemeName, theme: SchemeName | "as delivered"): Look => {
    const matcher = createMatcher(theme === "as delivered" ? asDelivered : withTheme(toggles, theme), names);
    const root = rootStyleOf(index, sheets, JSON.stringify([scheme, theme, toggles]));
    const styler = createStyler(createCascade(index, matcher, scheme), root);
    const skipped = (): (readonly [string, string])[] =>
      [...matcher.problems].map(([selector, message]) => [
        selector.slice(0, 200),
        `The selector was skipped: ${message}`,
      ]);
    return {
      scheme,
      styleOf: styler.styleOf,
      matches: matcher.matches,
      problems: () => new Map([...styler.problems(), ...skipped()]),
    };
  };

  const isMarked = hasThemeOnRoot(page, toggles);
  const isSwitched = hasThemeSwitch(page, attributesOf(toggles), scripts);
  const asIs = look("light", "as delivered");
  if (isDarkLook(page, asIs)) {
    const light = canSwitchToLight(page, toggles, scripts) ? look("light", "light") : undefined;
    const hasLight = light !== undefined && !isDarkLook(page, light);
    return {
      light: hasLight ? light : undefined,
      // Visitors see the delivered look, even if an underlying framework's theme has another kind of dark.
      dark: { ...asIs, scheme: "dark" },
      defaultScheme: hasLight && mention(scripts, /prefers-color-scheme/) ? "light" : "dark",
      isFixed: hasLight && !followsSystem(page, scripts),
    };
  }
  // A theme that no markup sets is set by a script, if there is one.
  const light = isMarked || !isSwitched ? asIs : look("light", "light");
  const asIsInDark = look("dark", "as delivered");
  if (isDarkLook(page, asIsInDark)) return { light, dark: asIsInDark, defaultScheme: "light", isFixed: false };
  // The page's own theme may override the dark scheme of its styles.
  const canBeDark = toggles.dark.length > 0 || isSwitched || !isMarked;
  const dark = canBeDark ? look("dark", "dark") : undefined;
  const hasDark = dark !== undefined && isDarkLook(page, dark);
  // A framework's styles have a dark theme, whether or not the site uses it.
  const isFixed = hasDark && !followsSystem(page, scripts);
  return { light, dark: hasDark ? dark : undefined, defaultScheme: "light", isFixed };
}

/** The classes and ids of a page's elements, of its themes, and of elements that are only asked about. */
function namesIn({ elements }: PageDocument, toggles: ThemeToggles): ReadonlySet<string> {
  const names = new Set(PROSE_CLASSES.map((name) => `.${name}`));
  for (const { kind, name } of [...toggles.light, ...toggles.dark]) if (kind === "class") names.add(`.${name}`);
  for (const { attribs } of elements) {
    for (const name of (attribs["class"] ?? "").split(/\s+/)) names.add(`.${name}`);
    if (attribs["id"] !== undefined) names.add(`#${attribs["id"]}`);
  }
  return names;
}

const rootStyles = new WeakMap<RuleIndex, Map<string, ComputedStyle>>();

/** Returns the same style for pages with the same rules in the same look, which then share their styles. */
function rootStyleOf(index: RuleIndex, sheets: readonly AppliedSheet[], way: string): ComputedStyle {
  const known = rootStyles.get(index) ?? new Map<string, ComputedStyle>();
  rootStyles.set(index, known);
  const style = known.get(way) ?? createRootStyle(initialValuesIn(sheets));
  known.set(way, style);
  return style;
}

function initialValuesIn(sheets: readonly AppliedSheet[]): CustomProperties {
  const registered = new Map(sheets.flatMap(({ sheet }) => [...sheet.registered]));
  return { find: (name) => registered.get(name)?.initial };
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

/** A theme in the delivered page needs something that removes it: a script that refers to it, or a control. */
function canSwitchToLight(page: PageDocument, { light, dark }: ThemeToggles, scripts: PageScripts): boolean {
  // If the page has no theme mark, a script sets it.
  if (light.length > 0 && !hasThemeOnRoot(page, { light, dark })) return true;
  return (
    hasThemeSwitch(page, attributesOf({ light, dark }), scripts) ||
    mention(scripts, /classList|className|localStorage|matchMedia/)
  );
}

function attributesOf({ light, dark }: ThemeToggles): readonly string[] {
  return [...light, ...dark].flatMap(({ kind, name }) => (kind === "attribute" ? [name] : []));
}

/** Whether scripts or markup of a page refer to the scheme that the system prefers. */
function followsSystem({ elements }: PageDocument, { inPage, files }: PageScripts): boolean {
  const media = elements.flatMap(({ attribs }) => attribs["media"] ?? []);
  return [...inPage, ...files, ...media].some((text) => text.includes("prefers-color-scheme"));
}

function mention({ inPage }: PageScripts, words: RegExp): boolean {
  return inPage.some((text) => words.test(text) && /dark|light/.test(text));
}

/** Reads attributes as if the scheme were toggled on: on `html`, and also on `body`, where some sites set it. */
function withTheme(toggles: ThemeToggles, scheme: SchemeName): ReadAttribute {
  const wanted = toggles[scheme];
  const unwanted = toggles[scheme === "dark" ? "light" : "dark"];
  const values = new Map<string, string>();
  for (const { kind, name, value } of wanted) {
    if (kind === "attribute" && !values.has(name)) values.set(name, value);
  }
  const added = wanted.find(({ kind }) => kind === "class")?.name;
  const removed = new Set(unwanted.flatMap(({ kind, name }) => (kind === "class" ? [name] : [])));
  const removedAttributes = new Set(unwanted.flatMap(({ kind, name }) => (kind === "attribute" ? [name] : [])));

  return (element, name) => {
    const own = element.attribs[name];
    if (element.name !== "html" && element.name !== "body") return own;
    if (name === "class") return switchClasses(own, { added, removed });
    const value = values.get(name);
    if (value !== undefined) return value;
    return removedAttributes.has(name) && own?.toLowerCase().includes(scheme) === false ? undefined : own;
  };
}

function switchClasses(
  own: string | undefined,
  { added, removed }: { readonly added: string | undefined; readonly removed: ReadonlySet<string> },
): string | undefined {
  const kept = (own ?? "").split(/\s+/).filter((name) => name !== "" && !removed.has(name) && name !== added);
  if (added !== undefined) kept.push(added);
  return kept.length === 0 && own === undefined ? undefined : kept.join(" ");
}

/** Reads attributes as delivered. */
export function asDelivered(element: Element, name: string): string | undefined {
  return element.attribs[name];
}

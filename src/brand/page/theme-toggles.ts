import type { AppliedSheet } from "../css/cascade.ts";
import type { StyleRule, ThemeToggle } from "../css/parse-sheet.ts";
import type { PageDocument } from "../document.ts";
import type { SchemeName } from "../findings.ts";
import { setsClass, type PageScripts } from "./theme-switch.ts";

/** The theme toggles used by the styles. */
export interface ThemeToggles {
  readonly light: readonly ThemeToggle[];
  readonly dark: readonly ThemeToggle[];
}

/** Minimum weight of a class to be considered a theme: components may also have a class called `dark`. */
const ENOUGH_FOR_CLASS = 3;

export function findToggles(page: PageDocument, sheets: readonly AppliedSheet[], scripts: PageScripts): ThemeToggles {
  const weights = new Map<string, { readonly toggle: ThemeToggle; weight: number; said?: SchemeName }>();
  for (const { sheet } of sheets) {
    for (const rule of sheet.rules) {
      for (const toggle of rule.selectors.flatMap(({ toggles }) => toggles)) {
        const key = `${toggle.kind} ${toggle.name} ${toggle.value}`;
        const entry = weights.get(key) ?? { toggle, weight: 0 };
        entry.weight += toggle.isOnRoot ? ENOUGH_FOR_CLASS : weightOf(rule);
        entry.said ??= schemeSaidBy(rule);
        weights.set(key, entry);
      }
    }
  }
  const chosen = [...weights.values()]
    .filter(({ toggle, weight }) =>
      toggle.kind === "attribute"
        ? !isOfSections(page, toggle)
        : weight >= ENOUGH_FOR_CLASS || setsClass(scripts, toggle.name),
    )
    .toSorted((a, b) => b.weight - a.weight);
  const find = (scheme: SchemeName): readonly ThemeToggle[] => {
    const named = chosen.filter(({ toggle }) => isNamed(toggle, scheme));
    const others = chosen.filter(({ toggle }) => !isNamed(toggle, "light") && !isNamed(toggle, "dark"));
    const said = others.filter((other) => other.said === scheme);
    const timed = others.filter(({ toggle, said }) => said === undefined && isNamed(toggle, TIMES[scheme]));
    return [...named, ...said, ...timed].map(({ toggle }) => toggle);
  };
  return { light: find("light"), dark: find("dark") };
}

/** Other names of themes. */
const TIMES = { light: "day", dark: "night" } as const;

/** The scheme that a theme with a name of its own (`slate`, `sepia`) declares: `color-scheme: dark`. */
function schemeSaidBy({ declarations }: StyleRule): SchemeName | undefined {
  const value = declarations
    .findLast(({ property }) => property === "color-scheme")
    ?.value.trim()
    .toLowerCase();
  return value === "light" || value === "dark" ? value : undefined;
}

const SECTIONS = new Set(["section", "div", "header", "footer", "article", "aside", "main"]);

/** Whether an attribute colors parts of the page instead of all of it. */
function isOfSections({ html, body, elements }: PageDocument, { name }: ThemeToggle): boolean {
  const isOnRoot = [html, body].some((element) => element?.attribs[name] !== undefined);
  return !isOnRoot && elements.some((element) => SECTIONS.has(element.name) && element.attribs[name] !== undefined);
}

function weightOf(rule: StyleRule): number {
  return rule.declarations.some(({ property }) => property.startsWith("--")) ? 3 : 1;
}

function isNamed({ kind, name, value }: ThemeToggle, word: SchemeName | "day" | "night"): boolean {
  return (kind === "class" ? name : value).toLowerCase().includes(word);
}

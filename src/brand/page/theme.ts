import type { Element } from "domhandler";
import type { AppliedSheet } from "../css/cascade.ts";
import type { ReadAttribute } from "../css/matcher.ts";
import type { StyleRule, ThemeToggle } from "../css/style-sheet.ts";
import type { SchemeName } from "../findings.ts";

/** How much a class has to decide before it is taken for a theme: components have classes called `dark`, too. */
const ENOUGH_FOR_CLASS = 3;

/** The switches between light and dark that the styles know. */
export interface ThemeToggles {
  readonly light: readonly ThemeToggle[];
  readonly dark: readonly ThemeToggle[];
}

export function findToggles(sheets: readonly AppliedSheet[]): ThemeToggles {
  const weights = new Map<string, { readonly toggle: ThemeToggle; weight: number }>();
  for (const { sheet } of sheets) {
    for (const rule of sheet.rules) {
      for (const toggle of rule.selectors.flatMap(({ toggles }) => toggles)) {
        const key = `${toggle.kind} ${toggle.name} ${toggle.value}`;
        const entry = weights.get(key) ?? { toggle, weight: 0 };
        entry.weight += weightOf(rule);
        weights.set(key, entry);
      }
    }
  }
  const chosen = [...weights.values()]
    .filter(({ toggle, weight }) => toggle.kind === "attribute" || weight >= ENOUGH_FOR_CLASS)
    .toSorted((a, b) => b.weight - a.weight)
    .map(({ toggle }) => toggle);
  return { light: chosen.filter(isFor("light")), dark: chosen.filter(isFor("dark")) };
}

function weightOf(rule: StyleRule): number {
  return rule.declarations.some(({ property }) => property.startsWith("--")) ? 3 : 1;
}

function isFor(scheme: SchemeName): (toggle: ThemeToggle) => boolean {
  return ({ kind, name, value }) => (kind === "class" ? name : value).toLowerCase().includes(scheme);
}

/** Reads attributes as they are when the scheme is switched on: on `html`, and on `body` for those who put it there. */
export function withTheme(toggles: ThemeToggles, scheme: SchemeName): ReadAttribute {
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

/** Reads attributes as the page was delivered. */
export function asDelivered(element: Element, name: string): string | undefined {
  return element.attribs[name];
}

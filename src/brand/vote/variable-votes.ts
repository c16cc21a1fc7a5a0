import { hexOf } from "../color/contrast.ts";
import { parseCustomColor } from "../color/css-color.ts";
import { createBudget } from "../budget.ts";
import { substituteVariables } from "../css/variables.ts";
import { readVariableName, type VariableMeaning } from "./variable-name.ts";
import type { LookedAt } from "./surface-votes.ts";

const VARIABLE_STEPS = 20_000;
/** Names that one sheet can bring in. */
const MAX_NAMES = 300;

/** A custom property of the page whose name speaks of a role. */
export interface NamedColor extends VariableMeaning {
  readonly name: string;
  readonly hex: string;
}

/** The colors of custom properties on the page whose names say what they are for. */
export function findNamedColors({ page, look }: LookedAt): readonly NamedColor[] {
  const { body } = page.document;
  if (body === undefined) return [];
  const { custom, usedScheme } = look.styleOf(body);
  const budget = createBudget(VARIABLE_STEPS);
  return [...meaningfulNames(page.sheets)].flatMap(([name, meaning]) => {
    const own = custom.find(name);
    const value = own === undefined ? undefined : substituteVariables(own, custom, budget);
    const color = value === undefined ? undefined : parseCustomColor(value, { scheme: usedScheme });
    if (color === undefined || (color.alpha ?? 1) < 0.9) return [];
    return [{ name, hex: hexOf(color), ...meaning }];
  });
}

const namesOfSheets = new WeakMap<object, ReadonlyMap<string, VariableMeaning>>();

function meaningfulNames(sheets: LookedAt["page"]["sheets"]): ReadonlyMap<string, VariableMeaning> {
  return new Map(sheets.flatMap(({ sheet }) => [...namesOf(sheet)]));
}

function namesOf(sheet: LookedAt["page"]["sheets"][number]["sheet"]): ReadonlyMap<string, VariableMeaning> {
  const known = namesOfSheets.get(sheet);
  if (known !== undefined) return known;
  const names = new Map<string, VariableMeaning>();
  for (const { property } of sheet.rules.flatMap(({ declarations }) => declarations)) {
    const meaning = property.startsWith("--") && !names.has(property) ? readVariableName(property) : undefined;
    if (meaning !== undefined) names.set(property, meaning);
    if (names.size >= MAX_NAMES) break;
  }
  namesOfSheets.set(sheet, names);
  return names;
}

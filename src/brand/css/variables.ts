import { BudgetSpent, type Budget } from "../budget.ts";

/** Longest value that is worked out, in characters: one `var()` in another can make a text grow without end. */
const LONGEST_VALUE = 20_000;
const DEEPEST_REFERENCE = 50;

/** Custom properties of an element: its own and those that it inherits, as written (`var()` not replaced). */
export interface CustomProperties {
  find(name: string): string | undefined;
}

/**
 * The value with every `var()` replaced. `undefined` when a variable is missing without a fallback, refers to itself,
 * the value grows beyond reason, or the budget is spent: a browser then takes the value as unset.
 */
export function substituteVariables(value: string, custom: CustomProperties, budget: Budget): string | undefined {
  try {
    return substitute(value, custom, { budget, open: [] });
  } catch (error) {
    if (error instanceof BudgetSpent) return undefined;
    throw error;
  }
}

interface Substitution {
  readonly budget: Budget;
  /** Names whose values are being worked out. */
  readonly open: readonly string[];
}

function substitute(value: string, custom: CustomProperties, state: Substitution): string | undefined {
  if (!/var\(/i.test(value)) return value;
  state.budget.spend(1 + value.length / 100);
  let result = "";
  let position = 0;
  for (const start of value.matchAll(/(?<![\w-])var\(/gi)) {
    if (start.index < position) continue;
    const end = findClosing(value, start.index + start[0].length);
    const replacement = resolveReference(value.slice(start.index + start[0].length, end), custom, state);
    if (replacement === undefined) return undefined;
    result += value.slice(position, start.index) + replacement;
    position = end + 1;
    if (result.length > LONGEST_VALUE) return undefined;
  }
  return result + value.slice(position);
}

function resolveReference(inner: string, custom: CustomProperties, state: Substitution): string | undefined {
  const comma = inner.indexOf(",");
  const name = (comma === -1 ? inner : inner.slice(0, comma)).trim();
  const fallback = comma === -1 ? undefined : inner.slice(comma + 1).trim();
  if (state.open.length > DEEPEST_REFERENCE) return undefined;
  const own = custom.find(name);
  const isUsable = own !== undefined && own !== "initial" && !state.open.includes(name);
  const value = isUsable ? substitute(own, custom, { ...state, open: [...state.open, name] }) : undefined;
  if (value !== undefined) return value;
  return fallback === undefined ? undefined : substitute(fallback, custom, state);
}

/** Position of the bracket that closes the one before `start`; the end of the text when there is none. */
export function findClosing(text: string, start: number): number {
  let depth = 1;
  for (let index = start; index < text.length; index += 1) {
    if (text[index] === "(") depth += 1;
    else if (text[index] === ")") depth -= 1;
    if (depth === 0) return index;
  }
  return text.length;
}

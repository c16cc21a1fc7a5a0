/** What relative lengths refer to, in CSS pixels. */
export interface LengthContext {
  /** Font size of the element. */
  readonly em: number;
  /** Font size of the root element. */
  readonly rem: number;
  /** Base of percentages; without it, they aren't valid lengths. */
  readonly whole?: number;
}

/** The viewport for evaluating pages: that of a laptop. */
export const WINDOW = { width: 1280, height: 800 } as const;

const TOKEN = /\s*(?:([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)([a-z%]*)|(calc|min|max|clamp)?\(|([-+*/,)]))/iy;
const LONGEST_LENGTH = 300;

/**
 * Parses a length into CSS pixels, evaluating `calc()`, `min()`, `max()`, and `clamp()` in the viewport. Returns
 * `undefined` if it isn't one.
 */
export function parseLength(text: string, context: LengthContext): number | undefined {
  const plain = text.trim();
  if (plain === "" || plain.length > LONGEST_LENGTH) return undefined;
  const tokens = readTokens(plain, context);
  if (tokens === undefined) return undefined;
  const state = { tokens, at: 0 };
  const value = readSum(state);
  return state.at === tokens.length && Number.isFinite(value) ? value : undefined;
}

type Token = number | "(" | ")" | "," | "+" | "-" | "*" | "/" | "min" | "max" | "clamp";

interface State {
  readonly tokens: readonly Token[];
  at: number;
}

function readTokens(text: string, context: LengthContext): readonly Token[] | undefined {
  const tokens: Token[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.length) {
    const match = TOKEN.exec(text);
    if (match === null) return undefined;
    const [whole, number, unit = "", name, sign] = match;
    const last = tokens.at(-1);
    const isAfterValue = typeof last === "number" || last === ")";
    if (number !== undefined) {
      const size = sizeOf(unit.toLowerCase(), context);
      if (size === undefined) return undefined;
      // To a browser, "1rem +2px" is two values, so a sign that follows a value is an operator here.
      if (isAfterValue && /^\s*[+-]/.test(whole)) tokens.push(number.startsWith("-") ? "-" : "+");
      tokens.push(size * (isAfterValue ? Math.abs(Number(number)) : Number(number)));
    } else if (sign !== undefined) tokens.push(operatorOf(sign));
    else {
      const call = name?.toLowerCase();
      if (call === "min" || call === "max" || call === "clamp") tokens.push(call);
      else tokens.push("(");
    }
  }
  return tokens;
}

function operatorOf(sign: string): Token {
  return (["+", "-", "*", "/", ",", ")"] as const).find((known) => known === sign) ?? ")";
}

function sizeOf(unit: string, { em, rem, whole }: LengthContext): number | undefined {
  switch (unit.replace(/^[dls](?=v)/, "")) {
    case "":
    case "px":
      return 1;
    case "em":
      return em;
    case "rem":
      return rem;
    case "%":
      return whole === undefined ? undefined : whole / 100;
    case "vw":
    case "vi":
    case "vmax":
    case "cqi":
    case "cqw":
    case "cqmax":
      return WINDOW.width / 100;
    case "vh":
    case "vb":
    case "vmin":
      return WINDOW.height / 100;
    case "ch":
      return em * 0.52;
    case "ex":
      return em * 0.5;
    case "pt":
      return 4 / 3;
    case "pc":
      return 16;
    case "in":
      return 96;
    case "cm":
      return 96 / 2.54;
    case "mm":
      return 96 / 25.4;
    default:
      return undefined;
  }
}

function readSum(state: State): number {
  let value = readProduct(state);
  for (let sign = state.tokens[state.at]; sign === "+" || sign === "-"; sign = state.tokens[state.at]) {
    state.at += 1;
    const next = readProduct(state);
    value += sign === "+" ? next : -next;
  }
  return value;
}

function readProduct(state: State): number {
  let value = readValue(state);
  for (let sign = state.tokens[state.at]; sign === "*" || sign === "/"; sign = state.tokens[state.at]) {
    state.at += 1;
    const next = readValue(state);
    value = sign === "*" ? value * next : value / next;
  }
  return value;
}

function readValue(state: State): number {
  const token = state.tokens[state.at];
  state.at += 1;
  if (typeof token === "number") return token;
  if (token === "(") {
    const [first = Number.NaN] = readArguments(state);
    return first;
  }
  if (token !== "min" && token !== "max" && token !== "clamp") return Number.NaN;
  const values = readArguments(state);
  if (token === "min") return Math.min(...values);
  if (token === "max") return Math.max(...values);
  const [least = Number.NaN, wanted = Number.NaN, most = Number.NaN] = values;
  return Math.max(least, Math.min(wanted, most));
}

/** Reads the values up to and including the closing parenthesis. */
function readArguments(state: State): readonly number[] {
  const values = [readSum(state)];
  while (state.tokens[state.at] === ",") {
    state.at += 1;
    values.push(readSum(state));
  }
  if (state.tokens[state.at] !== ")") return [Number.NaN];
  state.at += 1;
  return values;
}

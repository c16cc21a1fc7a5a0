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

const LONGEST_LENGTH = 300;
const CALL = /(calc|min|max|clamp)?\(([^()]*)\)/g;

/**
 * Parses a length into CSS pixels, evaluating `calc()`, `min()`, `max()`, and `clamp()` in the viewport. Returns
 * `undefined` if it isn't one.
 */
export function parseLength(text: string, context: LengthContext): number | undefined {
  let rest = text.trim().toLowerCase();
  if (rest === "" || rest.length > LONGEST_LENGTH) return undefined;
  // The innermost calls first, each replaced with its result.
  for (let before = ""; before !== rest;) {
    before = rest;
    rest = rest.replace(CALL, (_, name: string | undefined, inner: string) => {
      const values = inner.split(",").map((each) => sumOf(each, context));
      return ` ${evaluate(name, values)} `;
    });
  }
  const value = sumOf(rest, context);
  return Number.isFinite(value) ? value : undefined;
}

function evaluate(name: string | undefined, values: readonly number[]): number {
  if (name === "min") return Math.min(...values);
  if (name === "max") return Math.max(...values);
  const [first = Number.NaN, wanted = Number.NaN, most = Number.NaN] = values;
  return name === "clamp" ? Math.max(first, Math.min(wanted, most)) : first;
}

// To a browser, "1rem +2px" is two values; here, a sign after a value is an operator.
const TERM = /\s*(?:([-+*/])\s*)?([-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)([a-z%]*)\s*/y;

/** Evaluates terms without parentheses; `NaN` if the text is anything else. */
function sumOf(text: string, context: LengthContext): number {
  let [total, product] = [0, 0];
  for (let at = 0; at < text.length; at = TERM.lastIndex) {
    TERM.lastIndex = at;
    const match = TERM.exec(text);
    const size = match === null ? undefined : sizeOf(match[3] ?? "", context);
    if (match === null || size === undefined) return Number.NaN;
    const [, operator, number] = match;
    const value = size * Number(number);
    const isFirst = at === 0;
    if (operator === "*") product *= isFirst ? Number.NaN : value;
    else if (operator === "/") product /= isFirst ? Number.NaN : value;
    else if (operator === undefined && !isFirst) return Number.NaN;
    else [total, product] = [total + product, operator === "-" ? -value : value];
  }
  return text.trim() === "" ? Number.NaN : total + product;
}

const PX_OF_UNIT: ReadonlyMap<string, number> = new Map([
  ...["", "px"].map((unit) => [unit, 1] as const),
  ...["vw", "vi", "vmax", "cqi", "cqw", "cqmax"].map((unit) => [unit, WINDOW.width / 100] as const),
  ...["vh", "vb", "vmin"].map((unit) => [unit, WINDOW.height / 100] as const),
  ["pt", 4 / 3],
  ["pc", 16],
  ["in", 96],
  ["cm", 96 / 2.54],
  ["mm", 96 / 25.4],
]);

function sizeOf(unit: string, { em, rem, whole }: LengthContext): number | undefined {
  if (unit === "%") return whole === undefined ? undefined : whole / 100;
  if (unit === "em") return em;
  if (unit === "rem") return rem;
  if (unit === "ch") return em * 0.52;
  return unit === "ex" ? em * 0.5 : PX_OF_UNIT.get(unit.replace(/^[dls](?=v)/, ""));
}

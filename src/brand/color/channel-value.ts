import type { CssNode } from "css-tree";

/** A number as it stands in a color function. Angles are in degrees, percentages as written. */
export interface ChannelValue {
  readonly value: number;
  readonly unit: "number" | "percent" | "angle";
}

const DEGREES_PER_UNIT: ReadonlyMap<string, number> = new Map([
  ["deg", 1],
  ["grad", 0.9],
  ["rad", 180 / Math.PI],
  ["turn", 360],
]);

const CONSTANTS: ReadonlyMap<string, number> = new Map([
  ["pi", Math.PI],
  ["e", Math.E],
  ["infinity", Infinity],
  ["none", 0],
]);

/** Works out one channel of a color function; `names` holds the channels of the color it starts `from`. */
export function evaluateChannel(node: CssNode, names: ReadonlyMap<string, number>): ChannelValue | undefined {
  switch (node.type) {
    case "Number":
      return { value: Number(node.value), unit: "number" };
    case "Percentage":
      return { value: Number(node.value), unit: "percent" };
    case "Dimension": {
      const degrees = DEGREES_PER_UNIT.get(node.unit.toLowerCase());
      return degrees === undefined ? undefined : { value: Number(node.value) * degrees, unit: "angle" };
    }
    case "Identifier": {
      const value = names.get(node.name.toLowerCase()) ?? CONSTANTS.get(node.name.toLowerCase());
      return value === undefined ? undefined : { value, unit: "number" };
    }
    case "Parentheses":
      return evaluateSum(node.children.toArray(), names);
    case "Function":
      return evaluateFunction(node.name.toLowerCase(), node.children.toArray(), names);
    default:
      return undefined;
  }
}

function evaluateFunction(
  name: string,
  children: readonly CssNode[],
  names: ReadonlyMap<string, number>,
): ChannelValue | undefined {
  const parts = splitAtCommas(children).map((part) => evaluateSum(part, names));
  const [first, second, third] = parts;
  if (first === undefined || parts.includes(undefined)) return undefined;
  const numbers = parts.flatMap((part) => (part === undefined ? [] : part.value));
  const result = (value: number): ChannelValue => ({ value, unit: first.unit });
  switch (name) {
    case "calc":
      return first;
    case "min":
      return result(Math.min(...numbers));
    case "max":
      return result(Math.max(...numbers));
    case "clamp":
      return second === undefined || third === undefined
        ? undefined
        : { ...second, value: Math.max(first.value, Math.min(second.value, third.value)) };
    case "abs":
      return result(Math.abs(first.value));
    case "sign":
      return { value: Math.sign(first.value), unit: "number" };
    case "round":
      return result(Math.round(first.value / (second?.value ?? 1)) * (second?.value ?? 1));
    default:
      return undefined;
  }
}

function splitAtCommas(nodes: readonly CssNode[]): readonly (readonly CssNode[])[] {
  const parts: CssNode[][] = [[]];
  for (const node of nodes) {
    if (node.type === "Operator" && node.value === ",") parts.push([]);
    else parts.at(-1)?.push(node);
  }
  return parts;
}

function evaluateSum(nodes: readonly CssNode[], names: ReadonlyMap<string, number>): ChannelValue | undefined {
  let sum: ChannelValue | undefined;
  let sign = 1;
  for (let index = 0; index < nodes.length;) {
    const { value: product, next } = evaluateProduct(nodes, index, names);
    if (product === undefined) return undefined;
    const value = { ...product, value: product.value * sign };
    sum =
      sum === undefined
        ? value
        : { value: sum.value + value.value, unit: sum.unit === "number" ? value.unit : sum.unit };
    const operator = nodes[next];
    if (operator !== undefined && !(operator.type === "Operator" && /[+-]/.test(operator.value))) return undefined;
    sign = operator?.type === "Operator" && operator.value.trim() === "-" ? -1 : 1;
    index = next + 1;
  }
  return sum;
}

function evaluateProduct(
  nodes: readonly CssNode[],
  start: number,
  names: ReadonlyMap<string, number>,
): { readonly value: ChannelValue | undefined; readonly next: number } {
  const first = nodes[start];
  let value = first === undefined ? undefined : evaluateChannel(first, names);
  let next = start + 1;
  for (let operator = nodes[next]; operator?.type === "Operator"; operator = nodes[next]) {
    const symbol = operator.value.trim();
    const right = nodes[next + 1];
    if ((symbol !== "*" && symbol !== "/") || right === undefined) break;
    const factor = evaluateChannel(right, names);
    if (value === undefined || factor === undefined) return { value: undefined, next };
    value = {
      value: symbol === "*" ? value.value * factor.value : value.value / factor.value,
      unit: value.unit === "number" ? factor.unit : value.unit,
    };
    next += 2;
  }
  return { value, next };
}

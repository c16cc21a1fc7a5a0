import { converter, type Color } from "culori";
import { parse, type CssNode } from "css-tree";
import { evaluateChannel, type ChannelValue } from "./channel-value.ts";

/** How a channel is written and how culori wants it: `percent` is what 100 % means, `scale` what 1 means. */
interface Channel {
  readonly name: string;
  readonly percent: number;
  readonly scale: number;
}

interface ColorSpace {
  readonly mode:
    | "rgb"
    | "hsl"
    | "hwb"
    | "lab"
    | "lch"
    | "oklab"
    | "oklch"
    | "p3"
    | "rec2020"
    | "a98"
    | "prophoto"
    | "lrgb";
  readonly channels: readonly [Channel, Channel, Channel];
}

function channel(name: string, percent: number, scale = 1): Channel {
  return { name, percent, scale };
}

const RGB: ColorSpace = {
  mode: "rgb",
  channels: [channel("r", 255, 1 / 255), channel("g", 255, 1 / 255), channel("b", 255, 1 / 255)],
};

const SPACES: ReadonlyMap<string, ColorSpace> = new Map<string, ColorSpace>([
  ["rgb", RGB],
  ["rgba", RGB],
  ["hsl", { mode: "hsl", channels: [channel("h", 360), channel("s", 100, 0.01), channel("l", 100, 0.01)] }],
  ["hsla", { mode: "hsl", channels: [channel("h", 360), channel("s", 100, 0.01), channel("l", 100, 0.01)] }],
  ["hwb", { mode: "hwb", channels: [channel("h", 360), channel("w", 100, 0.01), channel("b", 100, 0.01)] }],
  ["lab", { mode: "lab", channels: [channel("l", 100), channel("a", 125), channel("b", 125)] }],
  ["lch", { mode: "lch", channels: [channel("l", 100), channel("c", 150), channel("h", 360)] }],
  ["oklab", { mode: "oklab", channels: [channel("l", 1), channel("a", 0.4), channel("b", 0.4)] }],
  ["oklch", { mode: "oklch", channels: [channel("l", 1), channel("c", 0.4), channel("h", 360)] }],
]);

/** Modes of culori for the names in `color(<name> r g b)`. */
const PREDEFINED: ReadonlyMap<string, ColorSpace["mode"]> = new Map([
  ["srgb", "rgb"],
  ["srgb-linear", "lrgb"],
  ["display-p3", "p3"],
  ["rec2020", "rec2020"],
  ["a98-rgb", "a98"],
  ["prophoto-rgb", "prophoto"],
]);

/** Works out a color function whose channels are computed: `oklch(from red calc(l * 0.9) c h / 50%)`. */
export function evaluateColorFunction(
  name: string,
  inner: string,
  parseInner: (text: string) => Color | undefined,
): Color | undefined {
  const origin = splitOrigin(inner);
  const nodes = parseChannels(origin.rest);
  const space = name === "color" ? takeSpace(nodes) : SPACES.get(name);
  if (space === undefined) return undefined;
  const from = origin.color === undefined ? undefined : parseInner(origin.color);
  if (origin.color !== undefined && from === undefined) return undefined;
  const names = from === undefined ? new Map<string, number>() : channelsOf(from, space);
  const values = nodes
    .slice(name === "color" ? 1 : 0)
    .filter((node) => !(node.type === "Operator" && /^[,/]$/.test(node.value.trim())))
    .map((node) => evaluateChannel(node, names));
  return buildColor(space, values, names.get("alpha") ?? 1);
}

function takeSpace(nodes: readonly CssNode[]): ColorSpace | undefined {
  const mode = nodes[0]?.type === "Identifier" ? PREDEFINED.get(nodes[0].name.toLowerCase()) : undefined;
  return mode === undefined ? undefined : { mode, channels: [channel("r", 1), channel("g", 1), channel("b", 1)] };
}

/** Takes `from <color>` off the beginning. */
function splitOrigin(inner: string): { readonly color: string | undefined; readonly rest: string } {
  const match = /^\s*from\s+(#[\da-f]+|[a-z-]+\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)|[a-z]+)\s+/i.exec(inner);
  return match === null ? { color: undefined, rest: inner } : { color: match[1], rest: inner.slice(match[0].length) };
}

/** The parts of a value; empty when the text is none. */
export function parseChannels(text: string): readonly CssNode[] {
  try {
    const tree = parse(text, { context: "value" });
    return tree.type === "Value" ? tree.children.toArray() : [];
  } catch {
    // Not a value of CSS, hence no color.
    return [];
  }
}

function channelsOf(color: Color, space: ColorSpace): ReadonlyMap<string, number> {
  const converted: Record<string, unknown> = { ...converter(space.mode)(color) };
  const entries = space.channels.map(({ name, scale }): [string, number] => {
    const value = converted[name];
    return [name, typeof value === "number" ? value / scale : 0];
  });
  return new Map([...entries, ["alpha", color.alpha ?? 1]]);
}

function buildColor(
  space: ColorSpace,
  values: readonly (ChannelValue | undefined)[],
  defaultAlpha: number,
): Color | undefined {
  if (values.length < 3 || values.length > 4) return undefined;
  const [first, second, third] = space.channels.map(({ percent, scale }, index) => {
    const channelValue = values[index];
    if (channelValue === undefined) return undefined;
    return (channelValue.unit === "percent" ? (channelValue.value / 100) * percent : channelValue.value) * scale;
  });
  if (first === undefined || second === undefined || third === undefined) return undefined;
  if (values.length === 4 && values[3] === undefined) return undefined;
  const alphaValue = values[3];
  const alpha = alphaValue === undefined ? defaultAlpha : alphaValue.value / (alphaValue.unit === "percent" ? 100 : 1);
  return assemble(space.mode, [first, second, third], Math.min(1, Math.max(0, alpha)));
}

function assemble(mode: ColorSpace["mode"], [x, y, z]: readonly [number, number, number], alpha: number): Color {
  switch (mode) {
    case "hsl":
      return { mode, h: x, s: y, l: z, alpha };
    case "hwb":
      return { mode, h: x, w: y, b: z, alpha };
    case "lab":
    case "oklab":
      return { mode, l: x, a: y, b: z, alpha };
    case "lch":
    case "oklch":
      return { mode, l: x, c: y, h: z, alpha };
    default:
      return { mode, r: x, g: y, b: z, alpha };
  }
}

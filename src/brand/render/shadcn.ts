import { converter } from "culori";
import type { BrandKitBody } from "../../contract/requests.ts";
import { shiftLightness } from "../color/contrast.ts";
import { readableFrom, readableOn } from "../derive.ts";
import { readTokens, type ColorToken } from "../tokens.ts";
import { renderBlock } from "./css.ts";

const toOklch = converter("oklch");

/**
 * The kit by the names of shadcn/ui, in `:root` for light and `.dark` for dark. What the kit does not have is made from
 * what it has, and marked `derived`; without a background and a text color there is nothing to make it from.
 */
export function renderShadcn(kit: BrandKitBody): string {
  const { schemes } = readTokens(kit);
  const blocks = schemes.map(({ scheme, colors }) =>
    renderBlock(scheme === "dark" ? ".dark" : ":root", linesOf(colors)),
  );
  const light = schemes.findIndex(({ scheme }) => scheme === "light");
  // `:root` has to come first, since `.dark` is set on the same element.
  const ordered = light === 1 ? blocks.toReversed() : blocks;
  return `${ordered.join("\n\n")}\n`;
}

function linesOf(colors: readonly ColorToken[]): readonly string[] {
  const own = new Map(
    colors.filter(({ derivedFrom }) => derivedFrom === undefined).map(({ role, hex }) => [role, hex]),
  );
  const background = own.get("background");
  const text = own.get("text");
  const primary = own.get("primary");
  const accent = own.get("accent");
  const card = own.get("surface") ?? background;
  const names: readonly (readonly [name: string, hex: string | undefined, isDerived: boolean])[] = [
    ["background", background, false],
    ["foreground", text, false],
    ["card", card, !own.has("surface")],
    ["card-foreground", text, true],
    ["popover", card, true],
    ["popover-foreground", text, true],
    ["primary", primary, false],
    ["primary-foreground", primary === undefined ? undefined : readableOn(primary), true],
    ["accent", accent ?? tint(background), accent === undefined],
    ["accent-foreground", accent === undefined ? text : readableOn(accent), true],
    ["muted", tint(background), true],
    [
      "muted-foreground",
      text === undefined || background === undefined ? undefined : mutedText(text, background),
      true,
    ],
    ["border", own.get("border") ?? tint(background, 0.1), !own.has("border")],
    ["input", own.get("border") ?? tint(background, 0.1), true],
    ["ring", primary, true],
  ];
  return names.flatMap(([name, hex, isDerived]) =>
    hex === undefined ? [] : [`--${name}: ${formatOklch(hex)};${isDerived ? " /* derived */" : ""}`],
  );
}

/** A little darker than a light color, a little lighter than a dark one. */
function tint(hex: string | undefined, amount = 0.035): string | undefined {
  return hex === undefined ? undefined : shiftLightness(hex, readableOn(hex) === "#ffffff" ? amount : -amount);
}

function mutedText(text: string, background: string): string {
  return readableFrom(
    shiftLightness(text, readableOn(background) === "#ffffff" ? -0.25 : 0.25),
    tint(background) ?? background,
  );
}

function formatOklch(hex: string): string {
  const color = toOklch(hex);
  if (color === undefined) return hex;
  const round = (number: number | undefined): number => Math.round((number ?? 0) * 1000) / 1000;
  return `oklch(${round(color.l)} ${round(color.c)} ${round(color.h)})`;
}

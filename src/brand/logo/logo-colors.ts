import { hexOf, isNeutral } from "../color/contrast.ts";
import { parseColor } from "../color/css-color.ts";
import type { LogoFinding } from "../findings.ts";
import type { Reader } from "../page/reader.ts";
import { tallyColors } from "../vote/tally.ts";

const COLOR = /(?:fill|stroke|stop-color)\s*[=:]\s*["']?\s*(#[\da-f]{3,8}\b|(?:rgb|hsl|oklch)a?\([^)]*\)|[a-z]+)/gi;
const LONGEST = 200_000;

/** The colors in the site's logo, except black, white, and grays; most used first. */
export async function findLogoColors(logos: readonly LogoFinding[], reader: Reader): Promise<readonly string[]> {
  const logo = logos.find(({ kind }) => kind === "logo");
  if (logo === undefined) return [];
  const text = await drawingOf(logo, reader);
  const votes = [...text.slice(0, LONGEST).matchAll(COLOR)].flatMap(([, value = ""]) => {
    const color = parseColor(value, { scheme: "light" });
    return color === undefined || isNeutral(color) ? [] : [{ hex: hexOf(color), weight: 1, words: "" }];
  });
  return tallyColors(votes).map(({ hex }) => hex);
}

async function drawingOf({ source, contentType }: LogoFinding, reader: Reader): Promise<string> {
  if (source.kind === "svg") return source.text;
  if (contentType?.includes("svg") !== true) return "";
  const file = await reader.readBytes(source.address);
  return file === undefined ? "" : new TextDecoder().decode(file.bytes);
}

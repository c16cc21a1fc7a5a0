import type { Rgb } from "culori";
import type { Element } from "domhandler";
import { contrastOf, differenceOf, hexOf, READABLE_CONTRAST, readableFrom } from "../color/contrast.ts";
import { sampleGradient, type Gradient } from "../css/values.ts";
import { descendantsOf, parentOf, textLengthOf } from "../document.ts";
import type { SchemeName } from "../findings.ts";
import { gradientBehind, groundOverPicture, surfaceBehind } from "../page/layer.ts";
import { usualLooksOf, type Look } from "../page/look.ts";
import { findPageSurface } from "../page/page-surface.ts";
import type { SitePage } from "../page/site-page.ts";
import { isBrowserLink } from "../vote/link-votes.ts";
import { isColumn } from "./frame-parts.ts";
import type { FrameRule } from "./frame-rules.ts";

/** Where a part of the frame stands on the service's page. */
export type Place = "header" | "footer";

/**
 * Minimum difference (CIEDE2000) between the background of a part and that of the page for it to count as different.
 */
const OTHER_GROUND = 6;

/** The background of a part if it differs from the page's: an image with text on it, a dark margin. */
export function groundRules(parts: readonly Element[], place: Place, page: SitePage): readonly FrameRule[] {
  const [first] = parts;
  if (first === undefined) return [];
  return usualLooksOf(page.looks).flatMap((look): readonly FrameRule[] => {
    const surface = findPageSurface(page.document, look)?.style.surface;
    if (surface === undefined) return [];
    const own = look.styleOf(first);
    const ground =
      groundOverPicture(parts, page.document, look) ??
      // A column is as high as the window.
      (isColumn(first, look) ? own.surface : surfaceBehind(first, look));
    const gradient = own.background === undefined ? gradientBehind(first, look) : undefined;
    const isOther = differenceOf(ground, surface) >= OTHER_GROUND;
    const edge = (gradient && edgeOf(gradient, place)) ?? ground;
    if (!isOther && differenceOf(edge, surface) < OTHER_GROUND) return [];
    const isFading = !isOther && contrastOf(wordsColor(first, look), surface) >= READABLE_CONTRAST;
    const declarations = Object.entries({
      "background-color": hexOf(ground),
      ...(gradient === undefined ? {} : renderGradient(gradient, place, isFading ? hexOf(surface) : undefined)),
    }).map(([property, value]) => ({ property, value, important: true }));
    return [{ around: mediaOf(look.scheme, page), selector: `.imprint-${place}`, declarations }];
  });
}

/** The color of a gradient at the edge of the page. */
function edgeOf(gradient: Gradient, place: Place): Rgb | undefined {
  const samples = sampleGradient(gradient);
  const isUpwards = /\(\s*(?:to top\b|0deg)/.test(gradient.text);
  return samples.at((place === "header") === isUpwards ? -1 : 0);
}

/** Returns a gradient as large as on the first screen of the site, which may fade into the color of the page. */
function renderGradient({ text }: Gradient, place: Place, paper: string | undefined): Readonly<Record<string, string>> {
  const fade = place === "header" ? `transparent 50%, ${paper}` : `${paper}, transparent 50%`;
  return {
    "background-image": paper === undefined ? text : `linear-gradient(${fade}), ${text}`,
    "background-size": paper === undefined ? "100% 100vh" : "100% 100%, 100% 100vh",
    ...(place === "footer" ? { "background-position": "bottom" } : {}),
  };
}

/** The color of the first link with text, or else of the part. */
function wordsColor(part: Element, look: Look): Rgb {
  const link = descendantsOf(part).find((element) => element.name === "a" && textLengthOf(element) > 0);
  return look.styleOf(link ?? part).color;
}

/**
 * A readable color for text that replaces a missing image. A link that shows only an image may have any color, or that
 * of browsers: then it looks like the text around it.
 */
export function wordsRules(parts: readonly Element[], place: Place, page: SitePage): readonly FrameRule[] {
  const link = parts.flatMap(descendantsOf).find(isPictureLink);
  const around = link && parentOf(link);
  if (link === undefined || around === undefined) return [];
  return usualLooksOf(page.looks).flatMap((look): readonly FrameRule[] => {
    const { color, surface, usedScheme } = look.styleOf(link);
    const isUnset = isBrowserLink(hexOf(color), usedScheme);
    const value = readableFrom(hexOf(isUnset ? look.styleOf(around).color : color), hexOf(surface));
    if (value === hexOf(color)) return [];
    const plain = isUnset ? [{ property: "text-decoration", value: "none", important: true }] : [];
    const declarations = [{ property: "color", value, important: true }, ...plain];
    return [{ around: mediaOf(look.scheme, page), selector: `.imprint-${place} .imprint-words`, declarations }];
  });
}

export function isPictureLink(element: Element): boolean {
  return (
    element.name === "a" && textLengthOf(element) === 0 && descendantsOf(element).some(({ name }) => name === "img")
  );
}

function mediaOf(scheme: SchemeName, { looks }: SitePage): readonly string[] {
  return scheme === looks.defaultScheme ? [] : [`@media (prefers-color-scheme: ${scheme})`];
}

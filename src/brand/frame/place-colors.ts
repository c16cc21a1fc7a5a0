import type { Element } from "domhandler";
import { differenceOf, hexOf, readableFrom } from "../color/contrast.ts";
import { descendantsOf, parentOf, textLengthOf } from "../document.ts";
import type { SchemeName } from "../findings.ts";
import { gradientBehind, groundOverPicture } from "../page/layer.ts";
import { usualLooksOf } from "../page/look.ts";
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
  const around = first && parentOf(first);
  if (first === undefined || around === undefined) return [];
  return usualLooksOf(page.looks).flatMap((look): readonly FrameRule[] => {
    const surface = findPageSurface(page.document, look)?.style.surface;
    if (surface === undefined) return [];
    const own = look.styleOf(first);
    const ground =
      groundOverPicture(parts, page.document, look) ??
      // A column is as high as the window.
      (own.background === undefined || isColumn(first, look) ? own.surface : look.styleOf(around).surface);
    if (differenceOf(ground, surface) < OTHER_GROUND) return [];
    const gradient = own.background === undefined ? gradientBehind(around, look) : undefined;
    const declarations = Object.entries({
      "background-color": hexOf(ground),
      // As large as on the first screen of the site.
      ...(gradient === undefined ? {} : { "background-image": gradient, "background-size": "100% 100vh" }),
    }).map(([property, value]) => ({ property, value, important: true }));
    return [{ around: mediaOf(look.scheme, page), selector: `.imprint-${place}`, declarations }];
  });
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

import type { SchemeColors, SchemeName } from "../findings.ts";
import type { SitePage } from "../page/site-page.ts";
import { findNamedRole } from "./extra-votes.ts";
import { findLinkColor } from "./link-votes.ts";
import { findPrimaryColor } from "./primary-votes.ts";
import { findSurfaceColors, type LookedAt } from "./surface-votes.ts";

/** The colors of a scheme; `null` when the home page does not have it. */
export function findColors(pages: readonly SitePage[], scheme: SchemeName): SchemeColors | null {
  const looked = pages.flatMap((page): LookedAt[] => {
    const look = page.looks[scheme];
    return look === undefined ? [] : [{ page, look }];
  });
  if (looked[0] === undefined || looked[0].page !== pages[0]) return null;
  const { background, text } = findSurfaceColors(looked);
  const link = findLinkColor(looked);
  const primary = findPrimaryColor(looked, { background, text, link });
  return {
    background,
    text,
    link,
    primary,
    accent: findNamedRole(looked, "accent", [primary, background, text]),
    surface: findNamedRole(looked, "surface", [background]),
    border: findNamedRole(looked, "border", [background, text]),
  };
}

import type { BrandDesign } from "../contract/brand-design.ts";
import type { InMemory } from "../contract/fields.ts";
import { differenceOf, readableFrom } from "./color/contrast.ts";
import type { SchemeName } from "./findings.ts";

/** A full-width strip with its own background color and readable text. */
export interface Band {
  readonly background: string;
  readonly text: string;
}

/** `undefined` if the strip has the color of the page. */
export type Bands = Readonly<Record<"header" | "footer", Band | undefined>>;

/** What the colors of bands are compared with. */
export interface BandGround {
  readonly scheme: SchemeName;
  /** The color of the page in each scheme. */
  readonly papers: Readonly<Record<SchemeName, string>>;
  readonly defaultScheme: SchemeName;
}

/**
 * Maximum differences (CIEDE2000) at which a band has the page's color, and at which it is used only in its own scheme.
 */
const SAME = 1;
const TINT = 15;

/**
 * The header and footer in their colors on the site. In a scheme that the site doesn't have, only if they are clearly
 * colored.
 */
export function createBands(
  design: InMemory<Pick<BrandDesign, "surfaces">> | null | undefined,
  ground: BandGround,
): Bands {
  return { header: bandOf("header"), footer: bandOf("footer") };

  function bandOf(part: keyof Bands): Band | undefined {
    const { scheme, papers, defaultScheme } = ground;
    const own = design?.surfaces.filter((surface) => surface.part === part) ?? [];
    const found =
      own.find((surface) => surface.scheme === scheme) ?? own.find((surface) => surface.scheme === defaultScheme);
    if (found === undefined) return undefined;
    const isCarried = found.scheme !== scheme;
    const background = found.background.toLowerCase();
    if (differenceOf(background, papers[found.scheme]) <= (isCarried ? TINT : SAME)) return undefined;
    return { background, text: readableFrom(found.text.toLowerCase(), background) };
  }
}

import type { SurfacePalette, SurfaceFont, SurfaceTheme } from "../../brand/surface-theme.ts";
import type { BrandKit } from "../store/brand-kits.ts";
import { libraryPath } from "./library-path.ts";
import { createLook, type Look } from "./look.ts";
import { renderSiteHeader, type SignContext, type SiteSign } from "./site-header.ts";

/** What a look is made from. */
export interface Branded extends SiteSign {
  readonly kit: Pick<BrandKit, "colors" | "fonts" | "logos">;
  readonly pagesUrl: string;
}

const MAX_LOOKS = 100;
const looks = new Map<string, Look>();

/** The look of a site with a brand kit. Equal input gives a look that is remembered, since its colors take computing. */
export async function findBrandLook({ kit: { colors, fonts, logos }, ...site }: Branded): Promise<Look> {
  const branded = { ...site, kit: { colors, fonts, logos } };
  const key = JSON.stringify(branded);
  const known = looks.get(key);
  if (known !== undefined) return known;
  const look = await createBrandLook(branded);
  if (looks.size >= MAX_LOOKS) looks.clear();
  looks.set(key, look);
  return look;
}

async function createBrandLook({ kit, pagesUrl, ...site }: Branded): Promise<Look> {
  // Only who shows a branded page pays for loading what computes colors.
  const { createSurfaceTheme } = await import("../../brand/surface-theme.ts");
  const theme = createSurfaceTheme({ colors: [...kit.colors], fonts: [...kit.fonts] });
  return createLook(renderTheme(theme, pagesUrl), {
    head: renderIcons(kit.logos, { theme, pagesUrl }),
    header: renderSiteHeader(site, { logos: kit.logos, theme, pagesUrl }),
  });
}

const FACES = ["heading", "body", "mono"] as const;

function renderTheme(theme: SurfaceTheme, pagesUrl: string): string {
  const { palettes, fonts, headingWeight } = theme;
  const files = FACES.flatMap((role) => {
    const path = libraryPath(fonts[role].url, pagesUrl);
    return path === undefined ? [] : [{ role, path, weights: fonts[role].weights }];
  });
  const faces = files.map(
    ({ role, path, weights }) =>
      `@font-face { font-family: "Brand ${role}"; src: url("${path}"); font-weight: ${weights}; font-display: swap }\n`,
  );
  const stackOf = (role: (typeof FACES)[number], { stack }: SurfaceFont) =>
    files.some((file) => file.role === role) ? `"Brand ${role}", ${stack}` : stack;
  const type = FACES.map((role) => `--${role}: ${stackOf(role, fonts[role])}`).join("; ");
  return `${faces.join("")}:root { ${type}; --heading-weight: ${headingWeight} }
${renderScheme("light", theme)}
@media (prefers-color-scheme: dark) { ${renderScheme("dark", theme)} }
`;

  function renderScheme(scheme: "light" | "dark", { ownSchemes, defaultScheme }: SurfaceTheme): string {
    const usual = palettes[defaultScheme];
    const plate = ownSchemes.length > 0 && scheme !== defaultScheme ? usual.paper : "transparent";
    return `:root { color-scheme: ${scheme}; ${renderPalette(palettes[scheme])}; --plate: ${plate} }`;
  }
}

function renderPalette(palette: SurfacePalette): string {
  return Object.entries(palette)
    .map(([name, value]) => `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}: ${value}`)
    .join("; ");
}

/** What the browser shows outside of the page: icons, and the color of its own frame. */
function renderIcons(
  logos: SignContext["logos"],
  { theme, pagesUrl }: Pick<SignContext, "theme" | "pagesUrl">,
): string {
  const links = [
    { kind: "icon", rel: "icon" },
    { kind: "touch-icon", rel: "apple-touch-icon" },
  ].flatMap(({ kind, rel }) => {
    const path = logos
      .filter((logo) => logo.kind === kind)
      .map(({ url }) => libraryPath(url, pagesUrl))
      .find((found) => found !== undefined);
    return path === undefined ? [] : [`<link rel="${rel}" href="${path}">\n`];
  });
  const frame = (["light", "dark"] as const).map(
    (scheme) =>
      `<meta name="theme-color" media="(prefers-color-scheme: ${scheme})" content="${theme.palettes[scheme].paper}">\n`,
  );
  return [...links, ...frame].join("");
}

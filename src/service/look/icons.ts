import { libraryPath } from "./library-path.ts";
import type { SignContext } from "./site-header.ts";

/** What the browser shows outside of the page: icons, and the color of its own frame. */
export function renderIcons(
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

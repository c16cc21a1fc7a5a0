import { escapePattern } from "../../base/escape-pattern.ts";
import { contentTypeOf, kindOf } from "../content-type.ts";
import { isData } from "./data-limits.ts";
import { usesPagefind } from "./pagefind.ts";
import type { Ask } from "./script-asks.ts";
import type { RewriteTools } from "./text-context.ts";

export interface Matching {
  /** Files that scripts may read or display, by the paths that they request. */
  readonly named: readonly string[];
  /** Files available only on the site's own host because the library doesn't accept them. */
  readonly kept: readonly string[];
}

const COMPUTED_PARTS = new Map([
  // Part of a name may be empty, such as `{r}` in `{y}{r}.png`; a whole one isn't.
  ["*", "(?:(?<=[^/])|(?=[^/]))[^/]*"],
  ["**/", "(?:.*/)?"],
]);

/** Finds the files that match a path below the site's base with computed parts as `*` and folders as `**`. */
export function listMatching(
  path: string,
  { isFetched }: Pick<Ask, "isFetched">,
  { site, settings }: Pick<RewriteTools, "site" | "settings">,
): Matching {
  const pieces = path.split(/(\*\*\/|\*)/).map((part) => COMPUTED_PARTS.get(part) ?? escapePattern(part));
  const pattern = new RegExp(`^${pieces.join("")}$`);
  // The value is the whole name, and may be that of a page.
  const folder = isFetched ? undefined : /^(.*\/)\*$/.exec(path)?.[1];
  const mayBePage = folder !== undefined && site.pages.some(({ route }) => route.startsWith(`/${folder}`));
  const isNamed = (file: string): boolean => {
    const type = contentTypeOf(file);
    const kind = kindOf(type);
    if (mayBePage && kind !== "image") return false;
    const isBuilt = file.startsWith(`${site.assetsDir}/`);
    // Libraries fetch fonts by their names, too, as PDF.js does.
    if (kind !== "file" && kind !== "font")
      return kind === "image" || (!isFetched && (kind === "style" || (kind === "script" && !isBuilt)));
    return isFetched || isData(type) || settings.placement.files === "library";
  };
  const isRead = (file: string): boolean =>
    !usesPagefind(`/${file}`) && (folder === undefined || !file.startsWith(`${site.assetsDir}/`));
  const matching = [...site.files.keys()].filter((file) => pattern.test(file) && isRead(file));
  const parts = site.pages
    .filter(({ route }) => !settings.slugs.has(route) && settings.heldPages?.[route] === undefined)
    .flatMap(({ file, route }) => [file, route.slice(1)])
    .filter((name) => pattern.test(name));
  return {
    named: [...matching.filter(isNamed), ...parts],
    kept: mayBePage
      ? []
      : matching.filter((file) => !isNamed(file) && /^(?:file|font)$/.test(kindOf(contentTypeOf(file)))),
  };
}

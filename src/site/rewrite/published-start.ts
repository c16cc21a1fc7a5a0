import { escapePattern } from "../../base/escape-pattern.ts";
import { foldRoute } from "../../contract/slug.ts";
import type { RewriteSettings } from "../model.ts";

interface PublishedStart {
  readonly start: string;
  readonly pattern: string;
}

/** What the published addresses of pages below a path begin with, as a pattern, too, if that of no other page does. */
export function findStart(path: string, { slugs, pageHref }: RewriteSettings): PublishedStart | undefined {
  const { slug: name } = foldRoute(path);
  const [, slug = ""] = [...slugs].find(([route]) => route.startsWith(path)) ?? [];
  if (name === "" || !slug.includes(name)) return undefined;
  const href = pageHref(slug);
  const start = href.slice(0, href.indexOf(slug) + slug.indexOf(name) + name.length);
  const pattern = `^${escapePattern(start)}${path.endsWith("/") ? "(?![^-/?#])" : ""}`;
  const isStart = new RegExp(pattern);
  const isExact = [...slugs].every(([route, each]) => route.startsWith(path) === isStart.test(pageHref(each)));
  return isExact ? { start, pattern } : undefined;
}

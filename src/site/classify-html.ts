import type { BuildHints, RouteHint } from "./build-hints.ts";
import type { HtmlKind } from "./model.ts";
import type { PageHead } from "./page-head.ts";

interface HtmlFile {
  readonly file: string;
  readonly route: string;
  readonly head: PageHead | undefined;
}

/** Says why an HTML file is in the built site, from what Astro reported about its routes or from the file alone. */
export function classifyHtml({ file, route, head }: HtmlFile, hints: BuildHints): HtmlKind {
  const routeHint = findRouteHint(file, route, hints.routes ?? []);
  if (routeHint?.type === "endpoint") return "endpoint";
  if (head?.redirectTo !== undefined) return "redirect";
  if (isStatusRoute(route, hints.locales)) return "status";
  if (head?.isDocument !== true) return "partial";
  if (routeHint?.type === "fallback") return "fallback";
  return hints.routes !== undefined && routeHint === undefined ? "public" : "page";
}

function findRouteHint(file: string, route: string, routes: readonly RouteHint[]): RouteHint | undefined {
  // Astro lists no files for fallback routes, only the form of their addresses.
  return (
    routes.find(({ files }) => files.includes(file)) ??
    routes.find(({ type, regex }) => type === "fallback" && regex !== undefined && matchesRoute(regex, route))
  );
}

function matchesRoute(regex: string, route: string): boolean {
  const pattern = new RegExp(regex);
  return pattern.test(route) || pattern.test(route.replace(/\/$/, ""));
}

function isStatusRoute(route: string, locales: readonly string[] | undefined): boolean {
  const [, folder] = /^(?:\/(.+))?\/(?:404|500)\/$/.exec(route) ?? ["", ""];
  if (folder === "") return false;
  if (folder === undefined) return true;
  return locales?.includes(folder) ?? /^[a-z]{2,3}(?:-[a-z0-9]{2,8})*$/i.test(folder);
}

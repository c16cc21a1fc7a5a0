import { normalizeRoute } from "../contract/route-slug.ts";

/**
 * The route of every HTML file: `/blog/first/` for `blog/first/index.html` and for `blog/first.html`. Where both are
 * there, the second keeps its ending as `/blog/first.html/`, so that no two files share a route.
 */
export function routesOf(files: readonly string[]): ReadonlyMap<string, string> {
  const routes = new Map<string, string>();
  const taken = new Set<string>();
  for (const file of files.toSorted((one, other) => Number(isIndex(other)) - Number(isIndex(one)))) {
    const route = [routeOf(file), `/${file}/`.normalize("NFC"), `/${file}/`].find((name) => !taken.has(name)) ?? file;
    taken.add(route);
    routes.set(file, route);
  }
  return routes;
}

function isIndex(file: string): boolean {
  return file === "index.html" || file.endsWith("/index.html");
}

function routeOf(file: string): string {
  return normalizeRoute(isIndex(file) ? file.slice(0, -"index.html".length) : file.replace(/\.html$/i, ""));
}

import { relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import type { AstroConfig, IntegrationResolvedRoute } from "astro";
import { isRedirectStatus } from "../base/redirect-status.ts";
import type { BuildHints, RouteHint } from "../site/build-hints.ts";

interface FinishedRoutes {
  readonly config: AstroConfig;
  readonly routes: readonly IntegrationResolvedRoute[];
  /** Files by route pattern, from `astro:build:done`. */
  readonly assets: ReadonlyMap<string, readonly URL[]>;
  readonly dir: URL;
}

/** Collects what Astro knows about a build beyond the files it wrote. */
export function collectHints({ config, routes, assets, dir }: FinishedRoutes): BuildHints {
  const root = fileURLToPath(dir);
  return {
    site: config.site,
    base: config.base,
    assetsDir: config.build.assets,
    trailingSlash: config.trailingSlash,
    locales: config.i18n?.locales.map((locale) => (typeof locale === "string" ? locale : locale.path)),
    routes: routes.map((route) => hintOf(route, { root, assets })),
  };
}

interface WrittenFiles extends Pick<FinishedRoutes, "assets"> {
  /** Absolute path of the dist folder. */
  readonly root: string;
}

function hintOf(route: IntegrationResolvedRoute, written: WrittenFiles): RouteHint {
  const { pattern, type, patternRegex, isPrerendered, origin, entrypoint, redirect } = route;
  const files = filesOf(route, written);
  const redirects = type !== "redirect" || files.length > 0 ? [] : findRedirects(route, written);
  const isRendered = !isPrerendered && (type === "page" || type === "endpoint") && origin !== "internal";
  return {
    pattern,
    template: entrypoint,
    type: type === "endpoint" || type === "redirect" || type === "fallback" ? type : "page",
    isOnDemand: isRendered || redirects === undefined,
    regex: patternRegex.source,
    ...(typeof redirect === "object" && isRedirectStatus(redirect.status) ? { redirectStatus: redirect.status } : {}),
    ...(redirects === undefined || redirects.length === 0 ? {} : { redirects }),
    files,
  };
}

function filesOf({ pattern }: IntegrationResolvedRoute, { root, assets }: WrittenFiles): readonly string[] {
  const files = assets.get(pattern) ?? [];
  return files.map((file) => relative(root, fileURLToPath(file)).split(sep).join("/"));
}

/**
 * Returns the addresses of a redirect, which Astro leaves to the server if there is an adapter. One with parameters has
 * an address for each page of its destination; `undefined` if these pages aren't known.
 */
function findRedirects(route: IntegrationResolvedRoute, written: WrittenFiles): RouteHint["redirects"] {
  const { params, redirect, redirectRoute } = route;
  const destination = typeof redirect === "object" ? redirect.destination : (redirect ?? "/");
  if (params.length === 0) return [{ from: route.generate({}), to: destination }];
  if (redirectRoute?.isPrerendered !== true) return undefined;
  return filesOf(redirectRoute, written).flatMap((file) => {
    const found = readParameters(file, redirectRoute);
    return found === undefined ? [] : [{ from: route.generate(found), to: redirectRoute.generate(found) }];
  });
}

/** Returns the values of a route's parameters for one of its files. */
function readParameters(file: string, { patternRegex, params }: IntegrationResolvedRoute) {
  const path = `/${file.replace(/(?:^|\/)index\.html$|\.html$/, "")}`;
  const [, ...values] = patternRegex.exec(path) ?? patternRegex.exec(`${path}/`) ?? [];
  if (values.length < params.length) return undefined;
  return Object.fromEntries(params.map((name, index) => [name.replace(/^\.\.\./, ""), values[index]]));
}

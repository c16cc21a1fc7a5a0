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
    routes: routes.map((route) => hintOf(route, { root, files: assets.get(route.pattern) ?? [] })),
  };
}

function hintOf(
  { pattern, type, patternRegex, isPrerendered, origin, entrypoint, redirect }: IntegrationResolvedRoute,
  { root, files }: { readonly root: string; readonly files: readonly URL[] },
): RouteHint {
  return {
    pattern,
    template: entrypoint,
    type: type === "endpoint" || type === "redirect" || type === "fallback" ? type : "page",
    isOnDemand: !isPrerendered && (type === "page" || type === "endpoint") && origin !== "internal",
    regex: patternRegex.source,
    ...(typeof redirect === "object" && isRedirectStatus(redirect.status) ? { redirectStatus: redirect.status } : {}),
    files: files.map((file) => relative(root, fileURLToPath(file)).split(sep).join("/")),
  };
}

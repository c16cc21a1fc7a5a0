import type { RedirectStatus } from "../base/redirect-status.ts";

/**
 * What the integration knows about a build that the files do not show. Plain data, so that it can be written down.
 * Without hints everything is found out from the files.
 */
export interface BuildHints {
  /** `site` in the Astro config. */
  readonly site?: string;
  /** `base` in the Astro config. */
  readonly base?: string;
  /** `build.assets` in the Astro config. */
  readonly assetsDir?: string;
  /** `trailingSlash` in the Astro config. */
  readonly trailingSlash?: "always" | "never" | "ignore";
  /** Locale paths of `i18n` in the Astro config. */
  readonly locales?: readonly string[];
  readonly routes?: readonly RouteHint[];
}

/** A route of `astro:routes:resolved`, joined with its files in `assets` of `astro:build:done`. */
export interface RouteHint {
  /** As in Astro: `/blog/[...slug]`. */
  readonly pattern: string;
  readonly type: "page" | "endpoint" | "redirect" | "fallback";
  /** File of the page or endpoint relative to the project: `src/pages/blog/[...slug].astro`. */
  readonly template?: string;
  /** What the Astro config wants to be answered for a redirect; absent: 301. */
  readonly redirectStatus?: RedirectStatus;
  /** Whether the page is made by a server when it is asked for, so that the build has no file of it. */
  readonly isOnDemand?: boolean;
  /** Source of the pattern's regular expression, for fallback routes, whose files Astro does not list. */
  readonly regex?: string;
  /** Paths below the dist folder with forward slashes, percent-decoded. */
  readonly files: readonly string[];
}

import {
  CHOOSE_LANGUAGE,
  CHOOSE_STARLIGHT_LANGUAGE,
  FILL_BASKET,
  FOLLOW_REDIRECT,
  KEEP_ISLAND_OVER_PAGES,
  READ_STARLIGHT_GUIDE,
  WAKE_ISLAND_AFTER_NAVIGATION,
  type Journey,
} from "./journeys.ts";

/** A site of the suite. Its folder holds a real Astro project. */
export interface FidelitySite {
  readonly name: string;
  /** Relative to the repository. */
  readonly folder: string;
  /** The features that the site covers. */
  readonly uses: string;
  readonly journeys: readonly Journey[];
  /** Total number of buttons in the islands of all pages. */
  readonly buttons: number;
  /** Codes of expected warnings, because the site uses features that can't be hosted. */
  readonly reported?: readonly string[];
  /** Whether it is also published to a strict service. */
  readonly isAlsoStrict?: boolean;
}

export const SITES: readonly FidelitySite[] = [
  {
    name: "seed-shop",
    folder: "test/sites/seed-shop",
    uses: "React, Preact, Solid, Svelte and Vue islands that share nanostores, all client directives, MDX, import(), format preserve",
    isAlsoStrict: true,
    buttons: 10,
    journeys: [FILL_BASKET],
  },
  {
    name: "slow-rail",
    folder: "test/sites/slow-rail",
    uses: "ClientRouter, persisted island, content collection, astro:assets, pagination, RSS, sitemap, @fontsource, audio",
    buttons: 16,
    journeys: [KEEP_ISLAND_OVER_PAGES, WAKE_ISLAND_AFTER_NAVIGATION],
  },
  {
    name: "tidewright",
    folder: "test/sites/tidewright",
    uses: "Starlight in three languages: sidebar, fallback pages, tabs, code blocks, theme and language select",
    buttons: 0,
    journeys: [CHOOSE_STARLIGHT_LANGUAGE, READ_STARLIGHT_GUIDE],
  },
  {
    name: "tide-handbook",
    folder: "test/sites/tide-handbook",
    uses: "Starlight with base and with the search of Pagefind",
    buttons: 0,
    journeys: [],
  },
  {
    name: "brenner-holt",
    folder: "test/sites/brenner-holt",
    uses: "i18n with fallback rewrite, base, fonts API, redirects, SVG sprite, JSON-LD, manifest",
    buttons: 9,
    journeys: [CHOOSE_LANGUAGE],
  },
  {
    name: "bikeworks",
    folder: "test/sites/bikeworks",
    uses: "assetsPrefix on another host, build.assets, build.format file, trailingSlash never, fallback redirect, form",
    isAlsoStrict: true,
    buttons: 1,
    journeys: [FOLLOW_REDIRECT],
  },
  {
    name: "credit-union",
    folder: "test/sites/credit-union",
    uses: "security.csp, React and Svelte islands, preloaded font of the fonts API, CSS @import and backgrounds",
    isAlsoStrict: true,
    buttons: 2,
    journeys: [],
  },
  {
    name: "playground",
    folder: "playground",
    uses: "the playground of this repository",
    buttons: 4,
    journeys: [],
  },
];

import { BOOTSTRAP_SITES } from "./bootstrap-sites.ts";
import { CLASSLESS_SITES } from "./classless-sites.ts";
import { DEMO_SITES } from "./demo-sites.ts";
import { DESIGN_SYSTEM_SITES } from "./design-system-sites.ts";
import { FRAMEWORK_SITES } from "./framework-sites.ts";

/** All sites of the corpus. */
export const CORPUS_SITES = [
  ...DEMO_SITES,
  ...BOOTSTRAP_SITES,
  ...FRAMEWORK_SITES,
  ...DESIGN_SYSTEM_SITES,
  ...CLASSLESS_SITES,
];

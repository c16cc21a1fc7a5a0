import manifest from "../../package.json" with { type: "json" };

/** The version of astro-imprint that runs. */
export const VERSION: string = manifest.version;

/** The oldest Node that it runs on. */
export const OLDEST_NODE: string = manifest.engines.node.replace(/^\D+/, "");

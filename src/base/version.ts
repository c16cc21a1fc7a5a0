import manifest from "../../package.json" with { type: "json" };

/** The version of astro-imprint that runs. */
export const VERSION: string = manifest.version;

const { build }: { readonly version: string; readonly build?: string } = manifest;

/** Hash of the sources that the program was built from; `undefined` where it runs from the sources themselves. */
export const BUILD: string | undefined = build;

/** The oldest Node that it runs on. */
export const OLDEST_NODE: string = manifest.engines.node.replace(/^\D+/, "");

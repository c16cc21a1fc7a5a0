import manifest from "../../package.json" with { type: "json" };

export const VERSION: string = manifest.version;

const { build }: { readonly version: string; readonly build?: string } = manifest;

/** Hash of the sources that the program was built from; `undefined` if it runs from source. */
export const BUILD: string | undefined = build;

/** The oldest supported version of Node. */
export const OLDEST_NODE: string = manifest.engines.node.replace(/^\D+/, "");

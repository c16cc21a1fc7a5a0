import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import * as z from "zod";
import { sha256 } from "../../base/hash.ts";
import { contentTypeOf } from "../../site/content-type.ts";
import type { SiteAsset } from "../../site/model.ts";

/** A font file from a Fontsource package in the project. */
export interface PackagedFont {
  readonly asset: SiteAsset;
  /** The weights that it covers: all of them for a variable font. */
  readonly weights: number[];
}

/** Metadata of a Fontsource package. */
const metadataSchema = z.object({
  id: z.string().regex(/^[\w-]+$/),
  defSubset: z.string().regex(/^[\w-]+$/),
  weights: z.array(z.int().min(1).max(1000)).min(1),
  license: z.object({ type: z.string() }),
});

/** Only files under this license are uploaded, as it allows anybody to serve them. */
const LICENSE = "OFL-1.1";
const SCOPES = ["@fontsource-variable", "@fontsource"] as const;

/** Returns the package that contains a family in files of single weights. */
export function fontPackageName(family: string): string {
  return `${SCOPES[1]}/${slugOf(family)}`;
}

function slugOf(family: string): string {
  return family
    .toLowerCase()
    .replaceAll(/[^a-z\d]+/g, "-")
    .replaceAll(/^-|-$/g, "");
}

/** Finds a family's font with the closest weight in the project's installed packages. */
export function findPackagedFont(projectRoot: string, family: string, weight: number): PackagedFont | undefined {
  for (const scope of SCOPES) {
    const folder = findFolder(projectRoot, `${scope}/${slugOf(family)}`);
    if (folder === undefined) continue;
    const metadata = metadataSchema.safeParse(JSON.parse(readFileSync(join(folder, "metadata.json"), "utf8"))).data;
    if (metadata?.license.type !== LICENSE) continue;
    const { id, defSubset, weights } = metadata;
    const nearest = weights.toSorted((a, b) => Math.abs(a - weight) - Math.abs(b - weight))[0];
    const isVariable = scope === SCOPES[0];
    const name = `${id}-${defSubset}-${isVariable ? "wght" : nearest}-normal.woff2`;
    const path = join(folder, "files", name);
    if (!existsSync(path)) continue;
    return { asset: describe(path, name), weights: isVariable || nearest === undefined ? weights : [nearest] };
  }
  return undefined;
}

function findFolder(projectRoot: string, name: string): string | undefined {
  try {
    return dirname(createRequire(join(projectRoot, "package.json")).resolve(`${name}/metadata.json`));
  } catch (error) {
    const { code } = Object(error);
    if (code === "MODULE_NOT_FOUND" || code === "ERR_PACKAGE_PATH_NOT_EXPORTED") return undefined;
    throw error;
  }
}

function describe(path: string, name: string): SiteAsset {
  const content = readFileSync(path);
  const contentType = contentTypeOf(name);
  return {
    hash: sha256(`font package\n${sha256(content)}\n${contentType}`),
    name,
    contentType,
    kind: "font",
    source: { kind: "file", path, bytes: content.byteLength },
    optimize: "never",
    usedIn: "brandKit.fonts",
  };
}

import { join, posix } from "node:path";
import { sha256 } from "../../base/hash.ts";
import { ownText } from "../../base/own-text.ts";
import { renderPlaceholder } from "../../html/placeholders.ts";
import { contentTypeOf, kindOf } from "../content-type.ts";
import type { AssetKind, BuiltSite, SiteAsset } from "../model.ts";
import { scanSiteFile } from "../read-file.ts";

interface FileUse {
  /** The HTML file that uses it. */
  readonly usedIn: string;
  readonly optimize: SiteAsset["optimize"];
  readonly alt?: string | undefined;
}

interface TextUse {
  readonly path: string;
  readonly kind: AssetKind;
  readonly assets: readonly SiteAsset[];
  readonly usedIn: string;
}

export interface AssetRegistry {
  fromFile(path: string, use: FileUse): SiteAsset;
  fromText(text: string, use: TextUse): SiteAsset;
}

/** Creates the asset registry of a site, so that shared files are hashed and described once. */
export function createAssetRegistry(site: BuiltSite): AssetRegistry {
  const assets = {
    never: new Map<string, SiteAsset>(),
    "same-type": new Map<string, SiteAsset>(),
    "any-type": new Map<string, SiteAsset>(),
  };

  function fromFile(path: string, { usedIn, optimize, alt }: FileUse): SiteAsset {
    const known = assets[optimize].get(path);
    if (known !== undefined) return known;
    const allowed = narrowOptimization(path, { optimize, assetsDir: site.assetsDir });
    const asset = assets[allowed].get(path) ?? describe(path, { usedIn, optimize: allowed, alt });
    assets[allowed].set(path, asset);
    assets[optimize].set(path, asset);
    return asset;
  }

  function describe(path: string, { usedIn, optimize, alt }: FileUse): SiteAsset {
    const contentType = contentTypeOf(path);
    const { hash, bytes } = site.files.get(path) ?? scanSiteFile(site.root, path, { startBytes: 0 });
    return {
      hash: sha256(`file\n${hash}\n${optimize}\n${contentType}`),
      name: posix.basename(path),
      contentType,
      kind: kindOf(contentType),
      ...ownAddressOf(path, site),
      source: { kind: "file", path: join(site.root, path), bytes, hash },
      optimize,
      ...(alt === undefined || alt === "" ? {} : { alt: ownText(alt) }),
      usedIn,
    };
  }

  return { fromFile, fromText: (text, use) => ({ ...describeText(text, use), ...ownAddressOf(use.path, site) }) };
}

/** Places a file as scripts and data name it: it keeps its type. */
export function placeAsset(
  path: string,
  { assets, usedIn }: { readonly assets: AssetRegistry; readonly usedIn: string },
) {
  const asset = assets.fromFile(path, { usedIn, optimize: "same-type" });
  return { address: renderPlaceholder(asset.hash), assets: [asset] };
}

function ownAddressOf(path: string, { origin = "", base }: BuiltSite): Pick<SiteAsset, "ownAddress"> {
  if (kindOf(contentTypeOf(path)) !== "file") return {};
  return { ownAddress: `${origin}${base}${path.split("/").map(encodeURIComponent).join("/")}` };
}

function describeText(text: string, { path, kind, assets, usedIn }: TextUse): SiteAsset {
  const contentType = contentTypeOf(path);
  return {
    hash: sha256(`text\n${sha256(text)}\n${contentType}`),
    name: posix.basename(path),
    contentType,
    kind,
    source: { kind: "text", text, assets: assets.map((asset) => asset.hash) },
    optimize: "never",
    usedIn,
  };
}

const RASTER_TYPES = new Set(["image/png", "image/jpeg", "image/webp", "image/avif", "image/tiff"]);

// Astro names output of its image service `name.<hash of the source>_<hash of the transform>.ending`.
const TRANSFORMED = /\.[\w-]{8}_[A-Za-z0-9]{5,8}\.\w+$/;

function narrowOptimization(
  path: string,
  { optimize, assetsDir }: { readonly optimize: SiteAsset["optimize"]; readonly assetsDir: string },
): SiteAsset["optimize"] {
  const contentType = contentTypeOf(path);
  if (!RASTER_TYPES.has(contentType)) return "never";
  const isBuilt = path.startsWith(`${assetsDir}/`);
  const isModern = contentType === "image/webp" || contentType === "image/avif";
  return isBuilt && (isModern || TRANSFORMED.test(path)) ? "never" : optimize;
}

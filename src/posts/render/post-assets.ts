import { readFile, realpath } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, resolve } from "node:path";
import { sha256 } from "../../base/hash.ts";
import { contentTypeOf, kindOf } from "../../site/content-type.ts";
import type { SiteAsset } from "../../site/model.ts";
import { isLocal, splitAddress } from "./addresses.ts";
import { decodeComponent } from "../../base/decode-component.ts";

export interface AssetPlace {
  /** Absolute path of the project. Files outside it are never read. */
  readonly root: string;
  /** Absolute path of the folder that the site serves from its root. */
  readonly publicDir: string;
  /** Base path of the site, with slashes at both ends. */
  readonly base: string;
  /** Path of the Markdown file, relative to the project. */
  readonly file: string;
}

export interface AssetUse {
  /** `link`: it may lead to any file that the site serves. Default: "image". */
  readonly kind?: "image" | "link";
  readonly address: string;
  readonly alt: string | undefined;
  readonly optimize: "same-type" | "any-type";
}

export type FoundAsset =
  | { readonly kind: "asset"; readonly asset: SiteAsset }
  /** An address on another site, or a data URL. */
  | { readonly kind: "external" }
  | { readonly kind: "missing"; readonly message: string };

/** Finds the file at an address in a Markdown file, and reads it to hash it. */
export async function findAsset(use: AssetUse, place: AssetPlace): Promise<FoundAsset> {
  const { address, alt, optimize } = use;
  if (!isLocal(address)) return { kind: "external" };
  for (const candidate of candidatesFor(address, place)) {
    const path = await realpath(candidate).catch(() => undefined);
    if (path === undefined) continue;
    if (isOutside(path, await realRootOf(place.root))) {
      return { kind: "missing", message: `The image "${address}" is outside the project and is not read.` };
    }
    // A mistake such as `![](../../.env)` must not upload a secret to the public library.
    const isImage = kindOf(contentTypeOf(path)) === "image";
    if (!isImage && !(await isServed(path, use, place))) {
      return { kind: "missing", message: `"${address}" is not an image.` };
    }
    const content = await readFile(path).catch(() => undefined);
    if (content === undefined) continue;
    return { kind: "asset", asset: describeAsset(path, content, { alt, optimize, usedIn: place.file }) };
  }
  return { kind: "missing", message: `The image "${address}" does not exist.` };
}

/** Whether the site serves a file that a link leads to. */
async function isServed(path: string, { kind }: AssetUse, { publicDir }: AssetPlace): Promise<boolean> {
  const folder = await realpath(publicDir).catch(() => undefined);
  return kind === "link" && folder !== undefined && !isOutside(path, folder);
}

interface AssetRole {
  readonly alt: string | undefined;
  readonly optimize: AssetUse["optimize"];
  readonly usedIn: string;
}

/**
 * The hash is computed as for files of the built site, so that a file used in a page and in a post is uploaded once.
 */
function describeAsset(path: string, content: Uint8Array, { alt, optimize, usedIn }: AssetRole): SiteAsset {
  const contentType = contentTypeOf(path);
  const kind = kindOf(contentType);
  const allowed = contentType === "image/svg+xml" || kind !== "image" ? "never" : optimize;
  return {
    hash: hashOf(content, { allowed, contentType }),
    name: basename(path),
    contentType,
    kind,
    source: { kind: "file", path, bytes: content.length },
    optimize: allowed,
    ...(alt === undefined || alt === "" ? {} : { alt }),
    usedIn,
  };
}

function hashOf(
  content: Uint8Array,
  { allowed, contentType }: { readonly allowed: SiteAsset["optimize"]; readonly contentType: string },
): string {
  return sha256(`file\n${sha256(content)}\n${allowed}\n${contentType}`);
}

/** The hashes that a file may have in posts. */
export function possibleHashes(path: string, content: Uint8Array): readonly string[] {
  const contentType = contentTypeOf(path);
  return (["never", "same-type", "any-type"] as const).map((allowed) => hashOf(content, { allowed, contentType }));
}

/** Looks beside the Markdown file and in the public folder; like Astro, also accepts paths from the project root. */
function candidatesFor(address: string, { root, publicDir, base, file }: AssetPlace): readonly string[] {
  const { path } = splitAddress(address);
  const spellings = [...new Set([path, decodeComponent(path)])];
  return spellings.flatMap((spelling) => {
    if (spelling.startsWith(base)) return [join(publicDir, spelling.slice(base.length)), join(publicDir, spelling)];
    if (spelling.startsWith("/")) return [join(publicDir, spelling)];
    const beside = resolve(root, dirname(file), spelling);
    return spelling.startsWith(".") ? [beside] : [beside, resolve(root, spelling)];
  });
}

const realRoots = new Map<string, Promise<string>>();

function realRootOf(root: string): Promise<string> {
  const known = realRoots.get(root) ?? realpath(root);
  realRoots.set(root, known);
  return known;
}

function isOutside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way.startsWith("..") || isAbsolute(way);
}

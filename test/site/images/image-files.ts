import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { sha256 } from "../../../src/base/hash.ts";
import type { SiteAsset } from "../../../src/site/model.ts";

export const TYPES: Readonly<Record<string, string>> = {
  jpg: "image/jpeg",
  png: "image/png",
  webp: "image/webp",
  gif: "image/gif",
  avif: "image/avif",
  svg: "image/svg+xml",
  tiff: "image/tiff",
  ico: "image/x-icon",
};

export async function createFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "imprint-images-"));
  onTestFinished(async () => await rm(folder, { recursive: true, force: true }));
  return folder;
}

export async function assetOf(name: string, bytes: Uint8Array, optimize: SiteAsset["optimize"]): Promise<SiteAsset> {
  const path = join(await createFolder(), name);
  await writeFile(path, bytes);
  return {
    hash: sha256(bytes),
    name,
    contentType: TYPES[name.split(".").at(-1) ?? ""] ?? "application/octet-stream",
    kind: "image",
    source: { kind: "file", path, bytes: bytes.length },
    optimize,
    usedIn: "about/index.html",
  };
}

import { readFileSync } from "node:fs";
import { findPackageJSON } from "node:module";
import { join } from "node:path";
import type { AstroMarkdownConfig } from "./render-markdown.ts";

/** What decides how markdown is rendered, as a text: two equal texts stand for the same HTML. */
export type RendererKey = string;

/**
 * Describes a renderer by its versions and settings. `undefined` where plugins or other functions are among the
 * settings: what they do can't be compared.
 */
export function describeRenderer(root: string, config: AstroMarkdownConfig | undefined): RendererKey | undefined {
  const { processor, ...settings } = config?.markdown ?? {};
  const options: unknown = processor === undefined ? undefined : Reflect.get(processor, "options");
  const name: unknown = processor === undefined ? undefined : Reflect.get(processor, "name");
  const described = { settings, name, options, image: config?.image };
  if (hasCode(described, "")) return undefined;
  return JSON.stringify([findVersions(root), described]);
}

function hasCode(value: unknown, key: string): boolean {
  if (typeof value === "function") return true;
  if (Array.isArray(value) && /plugins$/i.test(key) && value.length > 0) return true;
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value).some(([name, item]) => hasCode(item, name));
}

const PACKAGES = ["@astrojs/markdown-satteri", "@astrojs/markdown-remark", "shiki"];

function findVersions(root: string): readonly (string | undefined)[] {
  const astro = findManifest("astro", join(root, "package.json")) ?? findManifest("astro", import.meta.filename);
  if (astro === undefined) return [];
  return [astro, ...PACKAGES.map((name) => findManifest(name, astro))].map(versionOf);
}

function findManifest(name: string, from: string): string | undefined {
  try {
    return findPackageJSON(name, from);
  } catch {
    return undefined;
  }
}

function versionOf(file: string | undefined): string | undefined {
  if (file === undefined) return undefined;
  const manifest: unknown = JSON.parse(readFileSync(file, "utf8"));
  return String(Reflect.get(Object(manifest), "version"));
}

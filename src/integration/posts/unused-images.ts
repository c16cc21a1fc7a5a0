import { copyFileSync, readFileSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { AstroConfig } from "astro";
import { makeOwnFolder } from "../../disk/own-folder.ts";
import { findFiles } from "../../site/find-files.ts";
import type { CollectedEntry } from "../../posts/read/collection/collected.ts";

export interface ImagesPlace {
  readonly config: Pick<AstroConfig, "root" | "build">;
  readonly dir: URL;
}

/**
 * Moves images out of the built site that are in it only because we rendered the posts: a site that shows its posts
 * nowhere, or only in part, is to stay as it is without us. Gives the folder that they are in now.
 */
export function setImagesAside(entries: readonly CollectedEntry[], { config, dir }: ImagesPlace): string | undefined {
  const root = fileURLToPath(dir);
  const aside = fileURLToPath(new URL(".imprint/cache/post-images/", config.root));
  rmSync(aside, { recursive: true, force: true });
  const unused = findUnused(entries, root, config.build.assets);
  for (const path of unused) move(join(root, path), join(aside, path));
  return unused.length === 0 ? undefined : aside;
}

const TEXTS = "**/*.{html,css,js,mjs,json,xml,txt,svg,webmanifest}";

function findUnused(entries: readonly CollectedEntry[], root: string, assetsDir: string): readonly string[] {
  const folder = assetsDir.replaceAll(/^\/|\/$/g, "");
  const named = namesIn(
    entries.map(({ html = "" }) => html),
    folder,
  );
  const files = named.size === 0 ? [] : findFiles(join(root, folder), "**").map((file) => `${folder}/${file}`);
  const ofPosts = files.filter((file) => spellingsOf(file).some((name) => named.has(name)));
  const paths = ofPosts.length === 0 ? [] : findFiles(root, TEXTS);
  const texts = paths.map((path) => readFileSync(join(root, path), "utf8"));
  const known = namesIn(texts, folder);
  // An address can be written in ways that the pattern does not see; a file that a page uses must stay.
  return ofPosts
    .filter((file) => !spellingsOf(file).some((name) => known.has(name)))
    .filter((file) => !texts.some((text) => spellingsOf(file).some((name) => text.includes(name))));
}

/** Names of the built files that texts mention, as written. */
function namesIn(texts: readonly string[], folder: string): ReadonlySet<string> {
  const start = `${folder}/`;
  const names = new Set<string>();
  for (const text of texts) {
    for (let at = text.indexOf(start); at !== -1; at = text.indexOf(start, at + 1)) {
      const [name] = /[^\s"'`()\\,<>?#&]*/.exec(text.slice(at + start.length, at + start.length + 300)) ?? [];
      if (name !== undefined) names.add(name.slice(name.lastIndexOf("/") + 1));
    }
  }
  return names;
}

function spellingsOf(file: string): readonly string[] {
  return [basename(file), encodeURI(basename(file))];
}

function move(from: string, to: string): void {
  makeOwnFolder(dirname(to));
  try {
    renameSync(from, to);
  } catch {
    // Another disk.
    copyFileSync(from, to);
    rmSync(from);
  }
}

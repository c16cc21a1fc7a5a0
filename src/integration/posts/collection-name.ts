import { readFileSync } from "node:fs";
import { posix } from "node:path";
import type { AstroConfig } from "astro";
import type { Options } from "../../options/schema.ts";

/**
 * The content collection that holds the posts: the one that is named in the options, else the one that is called like
 * the folder of the posts, where the site's content config names such a collection. `undefined`: the folder is read.
 */
export function findPostsCollection({ posts }: Options, config: Pick<AstroConfig, "srcDir">): string | undefined {
  if (posts === false) return undefined;
  if (posts.collection !== undefined) return posts.collection;
  const name = posix.basename(posts.folder.replaceAll("\\", "/"));
  // Asking Astro for a collection that is not there prints a warning, so the config's text decides.
  return readContentConfig(config.srcDir)
    .split(/[^\w-]+/)
    .includes(name)
    ? name
    : undefined;
}

function readContentConfig(srcDir: URL): string {
  for (const ending of ["mjs", "js", "mts", "ts"]) {
    try {
      return readFileSync(new URL(`content.config.${ending}`, srcDir), "utf8");
    } catch {
      continue;
    }
  }
  return "";
}

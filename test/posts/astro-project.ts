import { execFile } from "node:child_process";
import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { createFolder, REPOSITORY } from "./folder.ts";

/** Creates an Astro project whose content config defines the collection of the posts in `src/content/blog`. */
export async function createAstroProject(
  schema: string,
  posts: Readonly<Record<string, string>> = {},
): Promise<string> {
  const files = Object.entries(posts).map(([name, text]) => [`src/content/blog/${name}`, text] as const);
  const root = await createFolder({
    ...Object.fromEntries(files),
    "package.json": `{ "type": "module" }`,
    "src/content.config.ts": `
import { glob } from "astro/loaders";
import { defineCollection } from "astro:content";
import { z } from "astro/zod";
const blog = defineCollection({ loader: glob({ base: "./src/content/blog", pattern: "**/*.md" }), schema: ${schema} });
export const collections = { blog };
`,
  });
  await symlink(join(REPOSITORY, "node_modules"), join(root, "node_modules"));
  return root;
}

/** Runs `astro sync`, which fails if a post doesn't match the schema of its collection. */
export async function syncAstro(root: string): Promise<void> {
  const astro = join(REPOSITORY, "node_modules/astro/bin/astro.mjs");
  await promisify(execFile)(process.execPath, [astro, "sync"], { cwd: root });
}

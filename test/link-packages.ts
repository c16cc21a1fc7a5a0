import { mkdir, readdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const MODULES = fileURLToPath(new URL("../node_modules", import.meta.url));

/**
 * Links this repository's packages into a project. `node_modules` itself isn't a link, because Astro and Vite store
 * their caches there, and other tests build at the same time.
 */
export async function linkPackages(root: string): Promise<void> {
  const folder = join(root, "node_modules");
  await mkdir(folder, { recursive: true });
  const names = (await readdir(MODULES)).filter((name) => name === ".bin" || !name.startsWith("."));
  await Promise.all(names.map((name) => symlink(join(MODULES, name), join(folder, name))));
}

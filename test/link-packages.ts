import { mkdir, readdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const MODULES = fileURLToPath(new URL("../node_modules", import.meta.url));

/**
 * Gives a project the packages of this repository. The folder itself is its own: Astro and Vite keep their caches there,
 * and other tests build at the same time.
 */
export async function linkPackages(root: string): Promise<void> {
  const folder = join(root, "node_modules");
  await mkdir(folder, { recursive: true });
  const names = (await readdir(MODULES)).filter((name) => name === ".bin" || !name.startsWith("."));
  await Promise.all(names.map((name) => symlink(join(MODULES, name), join(folder, name))));
}

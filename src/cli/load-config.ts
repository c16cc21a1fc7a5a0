import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/**
 * Loads the default export of a config file like `astro build` does: with Node if it can, else with Astro's own Vite,
 * which also resolves imports without an extension, and knows `import.meta.env` and all of TypeScript.
 */
export async function loadConfig(file: string, root: string): Promise<unknown> {
  try {
    return defaultOf(await import(pathToFileURL(file).href));
  } catch (error) {
    const vite = await findVite(root);
    if (vite === undefined) throw error;
    const { module } = await vite.runnerImport(file, { root, logLevel: "silent" });
    return defaultOf(module);
  }
}

interface Vite {
  runnerImport(file: string, config: object): Promise<{ readonly module: unknown }>;
}

/** Returns the Vite of the project's Astro; `undefined` if Astro isn't installed. */
async function findVite(root: string): Promise<Vite | undefined> {
  let path: string;
  try {
    const astro = createRequire(join(root, "package.json")).resolve("astro/package.json");
    path = createRequire(astro).resolve("vite");
  } catch {
    return undefined;
  }
  const vite: Vite = await import(pathToFileURL(path).href);
  return vite;
}

function defaultOf(module: unknown): unknown {
  return Reflect.get(Object(module), "default");
}

import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { escapePattern } from "../base/escape-pattern.ts";

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
    try {
      const { module } = await vite.runnerImport(file, { root, logLevel: "silent" });
      return defaultOf(module);
    } catch (viteError) {
      // Vite's lines are those of the code that it generates.
      throw findLine(error, file) === undefined ? viteError : error;
    }
  }
}

/** Returns the line of a config file at which loading it failed; `undefined` if Node doesn't show it. */
export function findLine(error: unknown, file: string): number | undefined {
  const stack = error instanceof Error ? (error.stack ?? "") : "";
  const line = lineIn(stack, pathToFileURL(file).href);
  if (line !== undefined || !(error instanceof SyntaxError)) return line;
  // The error of an import doesn't contain the line, the check of the same file prints it.
  const { stderr } = spawnSync(process.execPath, ["--check", file], { encoding: "utf8" });
  return lineIn(stderr, file) ?? lineIn(stderr, pathToFileURL(file).href);
}

function lineIn(text: string, file: string): number | undefined {
  const line = new RegExp(`${escapePattern(file)}:(\\d+)`).exec(text)?.[1];
  return line === undefined ? undefined : Number(line);
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

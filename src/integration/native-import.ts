import { compileFunction, constants } from "node:vm";

// Vite puts its own function in the place of `import()` in what it runs, but not in a text.
const OPTIONS = { importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER };

const load = compileFunction("return import(address);", ["address"], OPTIONS);

/** Loads a module by Node itself, whatever runs this one. */
export async function importNatively(address: string): Promise<unknown> {
  return await load(address);
}

// Written as a name, so that no bundler resolves it.
const NOTHING = "data:text/javascript,";

/**
 * Whether modules can be loaded from here. Astro runs a config file in TypeScript, and what that imports by a path, in a
 * module runner of Vite, and closes it before the first hook: no `import()` works in it from then on.
 */
export async function canImport(): Promise<boolean> {
  return await import(/* @vite-ignore */ NOTHING).then(
    () => true,
    () => false,
  );
}

import { compileFunction, constants } from "node:vm";

// Vite replaces `import()` in the code that it runs, but not in a string.
const OPTIONS = { importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER };

const load = compileFunction("return import(address);", ["address"], OPTIONS);

/** Imports a module with Node itself, whatever runs this module. */
export async function importNatively(address: string): Promise<unknown> {
  return await load(address);
}

// In a constant, so that no bundler resolves it.
const NOTHING = "data:text/javascript,";

/**
 * Whether modules can be loaded from here. Astro runs a TypeScript config file, and what it imports by path, in a Vite
 * module runner, which it closes before the first hook: from then on, no `import()` works in it.
 */
export async function canImport(): Promise<boolean> {
  return await import(/* @vite-ignore */ NOTHING).then(
    () => true,
    () => false,
  );
}

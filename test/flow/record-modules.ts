// Loaded with `--import`: on exit, prints every module that the process loaded.
import { registerHooks } from "node:module";

const loaded = new Set<string>();
registerHooks({
  resolve(specifier, context, nextResolve) {
    const resolved = nextResolve(specifier, context);
    loaded.add(resolved.url);
    return resolved;
  },
});
process.on("exit", () => {
  // What Node loads for this: `NativeModule internal/http2/core`.
  const native: readonly string[] = Object(process)["moduleLoadList"];
  const own = native.filter((name) => name.startsWith("NativeModule ")).map((name) => `native:${name.slice(13)}`);
  process.stderr.write(`LOADED ${JSON.stringify([...loaded, ...own])}\n`);
});

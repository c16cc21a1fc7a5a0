import { initSync, parse } from "es-module-lexer";
import type { Edit } from "../../html/edits.ts";

/** A place of a script that names a file, with the characters that name it. */
export interface ScriptAddress {
  /** `relative`: what stands in the parentheses of `new URL("…", import.meta.url)`, which may be a worker. */
  readonly kind: "module" | "asset" | "relative";
  readonly address: string;
  readonly start: number;
  readonly end: number;
}

let isReady = false;

/** What in a script has to be looked at. `edits` are those that hold wherever the script is. */
export interface ScriptPlaces {
  readonly addresses: readonly ScriptAddress[];
  readonly edits: readonly Edit[];
  /** Places of `import.meta.url` that are read by themselves. */
  readonly ownAddresses: readonly Omit<Edit, "text">[];
}

/** Finds imports, whole strings that look like addresses of files, and Vite's lists of what to load ahead. */
export function findScriptPlaces(script: string): ScriptPlaces {
  const imports = /\bimport\b/.test(script) ? lexImports(script) : [];
  const modules = imports.flatMap(({ n: address, s: start, e: end, d: dynamicStart }): ScriptAddress[] => {
    if (address === undefined) return [];
    // The lexer's place has the quotes of a dynamic import in it, and not those of a static one.
    const quotes = dynamicStart === -1 ? 1 : 0;
    return [{ kind: "module", address, start: start - quotes, end: end + quotes }];
  });
  const relative = findRelativeAssets(script);
  const named = [...modules, ...relative];
  const assets = findAssetStrings(script).filter(({ start }) => !named.some((other) => other.start === start));
  const ownAddresses = imports
    .filter(({ d: kind, e: end }) => kind === IMPORT_META && script.startsWith(".url", end))
    .map(({ s: start, e: end }) => ({ start, end: end + ".url".length }));
  return { addresses: [...named, ...assets], edits: findPreloadLists(script), ownAddresses };
}

const IMPORT_META = -2;

function lexImports(script: string): ReturnType<typeof parse>[0] {
  if (!isReady) initSync();
  isReady = true;
  try {
    return parse(script)[0];
  } catch {
    // A script that can't be read as a module, such as one for old browsers, imports nothing.
    return [];
  }
}

const ASSET_STRING = /(["'`])((?:https?:\/\/[\w.:-]+|\/\/[\w.:-]+)?\/[^"'`\s\\<>$?#]{1,500}\.[a-z0-9]{2,5})\1/gi;

function findAssetStrings(script: string): readonly ScriptAddress[] {
  return Array.from(script.matchAll(ASSET_STRING), ({ index, 0: literal, 2: address = "" }) => ({
    kind: "asset",
    address,
    start: index,
    end: index + literal.length,
  }));
}

const RELATIVE_ASSET = /\bnew\s+URL\(\s*(["'`])([^"'`$\\]+)\1\s*,\s*import\.meta\.url\s*\)/g;

function findRelativeAssets(script: string): readonly ScriptAddress[] {
  return Array.from(script.matchAll(RELATIVE_ASSET), ({ index, 0: text, 2: address = "" }) => ({
    kind: "relative",
    address,
    start: index + text.indexOf("(") + 1,
    end: index + text.length - 1,
  }));
}

// Vite loads the dependencies of a lazy module ahead by their old addresses. The module's own imports load them too.
function findPreloadLists(script: string): readonly Edit[] {
  if (!script.includes("__vite__mapDeps")) return [];
  return Array.from(script.matchAll(/__vite__mapDeps\(\[[\d,\s]*\]\)/g), ({ index, 0: call }) => ({
    start: index,
    end: index + call.length,
    text: "[]",
  }));
}

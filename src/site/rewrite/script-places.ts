import { initSync, parse } from "es-module-lexer";
import type { Edit } from "../../html/edits.ts";

/** A place in a script that references a file, with its range. */
export interface ScriptAddress {
  /**
   * `string`: an entire string that may be an address; `relative`: the arguments of `new URL("…", import.meta.url)`;
   * `resolved`: the argument of `import.meta.resolve("…")`, or, if that is a module, `lazy-module`;
   * `css`: the argument of `url()` in a string; `import-scripts`: a string that a classic worker loads; `lazy-module`:
   * the module that `import()` loads on demand.
   */
  readonly kind: "module" | "lazy-module" | "string" | "relative" | "resolved" | "css" | "import-scripts";
  readonly address: string;
  readonly start: number;
  readonly end: number;
  /** How the script or file at this address is used, if the code right before it shows that. */
  readonly use: "worker" | "shared-worker" | "service-worker" | "fetch" | undefined;
}

/** Places in a script to process. `edits` apply wherever the script is. */
export interface ScriptPlaces {
  readonly addresses: readonly ScriptAddress[];
  readonly edits: readonly Edit[];
  /** Ranges of standalone reads of `import.meta.url`. */
  readonly ownAddresses: readonly Omit<Edit, "text">[];
  /** Arguments of imports with a computed address. */
  readonly computedImports: readonly Omit<Edit, "text">[];
}

/** Finds imports, strings that look like file addresses, and Vite's preload lists. */
export function findScriptPlaces(script: string): ScriptPlaces {
  const imports = /\b(?:import|export)\b/.test(script) ? lexImports(script) : [];
  const modules = imports.flatMap(({ n: address, s: start, e: end, d: dynamicStart }): ScriptAddress[] => {
    if (address === undefined) return [];
    // The lexer's range includes the quotes of a dynamic import but not those of a static one.
    const quotes = dynamicStart === -1 ? 1 : 0;
    const kind = dynamicStart === -1 ? "module" : "lazy-module";
    return [{ kind, address, start: start - quotes, end: end + quotes, use: undefined }];
  });
  const relative = findRelative(script);
  // Vite preloads the dependencies of a lazy module by their old addresses. The module's own imports load them too.
  const hasPreloads = script.includes("__vite__mapDeps");
  const preloads = hasPreloads ? rangesOf(script, /__vite__mapDeps\(\[[\d,\s]*\]\)/g) : [];
  const named = [...modules, ...relative, ...findResolved(script), ...findImportScripts(script)];
  const lists = hasPreloads ? rangesOf(script, /\bm\.f\s*=\s*\[[^\]]*\]/g) : [];
  const texts = [...findAddressStrings(script), ...findInText(script)];
  const strings = texts.filter(
    ({ start }) => ![...named, ...lists].some((other) => other.start <= start && start < other.end),
  );
  const ownAddresses = imports
    .filter(({ d: kind, e: end }) => kind === IMPORT_META && script.startsWith(".url", end))
    .map(({ s: start, e: end }) => ({ start, end: end + ".url".length }));
  const computedImports = imports
    .filter(({ n: address, d: dynamicStart }) => address === undefined && dynamicStart >= 0)
    .map(({ s: start, e: end }) => ({ start, end }));
  const edits = preloads.map((range) => ({ ...range, text: "[]" }));
  return { addresses: [...named, ...strings], edits, ownAddresses, computedImports };
}

const IMPORT_META = -2;

let isReady = false;

function lexImports(script: string): ReturnType<typeof parse>[0] {
  if (!isReady) initSync();
  isReady = true;
  try {
    return parse(script)[0];
  } catch {
    // A script that can't be parsed as a module, such as one for old browsers, imports nothing.
    return [];
  }
}

/** A template within a computed part, which may have computed parts itself. */
const INNER = /`(?:[^`$]|\$(?!\{)|\$\{[^{}`]*\})*`/.source;
/** A computed part of a template. */
export const HOLE = new RegExp(String.raw`\$\{(?:[^{}\`]|${INNER}|\{(?:[^{}\`]|${INNER})*\})*\}`, "g");

/** A template as an address with `*` for computed parts, of which several in a row are one. */
export function markComputed(template: string): string {
  return template.replace(HOLE, "*").replace(/\*+/g, "*");
}

/** Whether a computed part may be, or end with, the ending of a file's name: `id + (wide ? ".webp" : ".png")`. */
export function mayEndName(computed: string): boolean {
  return /(["'`])[\w.@-]*\.[a-z][a-z0-9]{1,10}\1\s*[)}\]]*$/i.test(computed);
}

const ADDRESS_STRING =
  /(["'`])((?:https?:\/\/[\w.:-]+|\/\/[\w.:-]+)?\/(?:[^"'`\s\\<>$?#]| (?! )){1,500}\.[a-z0-9]{2,5})\1/gi;

function findAddressStrings(script: string): readonly ScriptAddress[] {
  return Array.from(script.matchAll(ADDRESS_STRING), ({ index, 0: literal, 2: address = "" }) => ({
    kind: "string" as const,
    address,
    start: index,
    end: index + literal.length,
    use: findUse(script, index),
  })).filter(({ start }) => !isJoined(script, start));
}

/** Whether a string follows a value, as in `base + "/photo.png"`: the requested address is known only at run time. */
export function isJoined(script: string, start: number): boolean {
  return /[\w$)\]]\s*\+\s*$/.test(script.slice(Math.max(0, start - 10), start));
}

// A quote without a backslash may delimit its own string, which is found separately.
const CSS_ADDRESS = /(?<=\burl\((?:\\?["'])?)\/[^"'`()\s\\<>$]{1,500}\.[a-z0-9]{2,5}(?=(?:\\?["'])?\))/gi;

// In a `srcset`, which lists several files, and in markup that frameworks turn into elements that load immediately.
const IN_TEXT =
  /(?<=["'`\s,=])\/(?!\/)[^"'`\s\\<>$?#,]{1,500}\.[a-z0-9]{2,5}(?=\s+[\d.]+[wx]\b)|(?<=\s(?:src|poster)=(?:\\?["'])?)\/(?!\/)[^"'`\s\\<>$?#]{1,500}\.[a-z0-9]{2,5}(?=["'\\\s>])/gi;

/** Finds addresses within a longer text. */
function findInText(script: string): readonly ScriptAddress[] {
  const patterns = script.includes("url(") ? [CSS_ADDRESS, IN_TEXT] : [IN_TEXT];
  const found = patterns.flatMap((pattern) => [...script.matchAll(pattern)]);
  return found.map(({ index: start, 0: address }) => {
    return { kind: "css", address, start, end: start + address.length, use: undefined };
  });
}

const RELATIVE =
  /\bnew\s+URL\(\s*(["'`])([^"'`$\\]+)\1\s*,\s*(?:(?:""|''|``)\s*\+\s*)?(?:import\.meta\.url|self\.location(?:\.href)?)\s*\)/g;

function findRelative(script: string): readonly ScriptAddress[] {
  return Array.from(script.matchAll(RELATIVE), ({ index, 0: text, 2: address = "" }) => ({
    kind: "relative",
    address,
    start: index + text.indexOf("(") + 1,
    end: index + text.length - 1,
    use: findUse(script, index),
  }));
}

const RESOLVED = /\bimport\.meta\.resolve\(\s*((["'`])((?:\.{1,2}\/|\/(?!\/))[^"'`$\\]+)\2)\s*\)/g;

function findResolved(script: string): readonly ScriptAddress[] {
  return Array.from(script.matchAll(RESOLVED), ({ index, 0: call, 1: literal = "", 3: address = "" }) => {
    const use = findUse(script, index);
    const start = index + call.indexOf(literal);
    const isModule = use === undefined && /\.m?js$/.test(address);
    const kind = isModule ? "lazy-module" : "resolved";
    // What is fetched needs an address that it could be resolved from, like all others.
    return { kind, address, start, end: start + literal.length, use: use === "fetch" ? undefined : use };
  });
}

const USES = [
  [/\bnew\s+(?:(?:self|window|globalThis)\.)?Worker\(\s*(?:new\s+URL\(\s*)?$/, "worker"],
  [/\bnew\s+(?:(?:self|window|globalThis)\.)?SharedWorker\(\s*(?:new\s+URL\(\s*)?$/, "shared-worker"],
  [/\bserviceWorker\s*(?:\?\.|\.)\s*register\(\s*$/, "service-worker"],
  [/\bfetch\(\s*(?:new\s+(?:Request|URL)\(\s*)?$/, "fetch"],
] as const;

/** How a script uses an address that is the direct argument of a call. */
export function findUse(script: string, start: number): ScriptAddress["use"] {
  const before = script.slice(Math.max(0, start - 60), start);
  return USES.find(([pattern]) => pattern.test(before))?.[1];
}

const IMPORT_SCRIPTS = /\bimportScripts\(([^()]*)\)/g;

function findImportScripts(script: string): readonly ScriptAddress[] {
  return Array.from(script.matchAll(IMPORT_SCRIPTS)).flatMap(({ index, 1: list = "" }) =>
    Array.from(list.matchAll(/(["'`])([^"'`$\\]+)\1/g), ({ index: within, 0: literal, 2: address = "" }) => {
      const start = index + "importScripts(".length + within;
      return { kind: "import-scripts" as const, address, start, end: start + literal.length, use: undefined };
    }),
  );
}

type Range = Omit<Edit, "text">;

function rangesOf(script: string, pattern: RegExp): readonly Range[] {
  return Array.from(script.matchAll(pattern), ({ index, 0: found }) => ({ start: index, end: index + found.length }));
}

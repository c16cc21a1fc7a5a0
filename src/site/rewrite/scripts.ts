import { initSync, parse } from "es-module-lexer";
import { applyEdits, type Edit } from "../../html/edits.ts";
import { renderPlaceholder, textDataAddress } from "../../html/placeholders.ts";
import { contentTypeOf, kindOf } from "../content-type.ts";
import type { SiteAsset, SiteWarning } from "../model.ts";
import { readSiteText } from "../read-file.ts";
import { adaptSearchScript, findSearch, leadComputedImports, usesPagefind, warnOfSearch } from "./pagefind.ts";
import { lineIn, resolveIn, type RewriteTools, type TextContext, type TextPlace } from "./text-context.ts";

/** A script whose addresses are rewritten. */
export interface Script {
  readonly text: string;
  /** Files of the modules it imports, statically or when needed. */
  readonly modules: readonly string[];
  readonly assets: readonly SiteAsset[];
  readonly warnings: readonly SiteWarning[];
  /** Whether it names a page of the site, to which it may lead. */
  readonly namesPages: boolean;
}

/** A script as one address, for an import map or a `src`. */
interface ScriptAddressed {
  readonly address: string;
  /** Name and address as they stand in an import map. */
  readonly entry: string;
  readonly assets: readonly SiteAsset[];
}

export interface Scripts {
  fromFile(path: string, usedIn: string): Script;
  fromText(text: string, place: TextPlace): Script;
  /** The modules of `paths` and all they import, sorted. */
  reach(paths: Iterable<string>, usedIn: string): readonly string[];
  /** Where a script file is loaded from. */
  addressOf(path: string, usedIn: string): ScriptAddressed;
}

/** The name under which a module is imported and found in the import map: a bare one, so that any base will do. */
export function moduleKey(path: string): string {
  return `@i/${encodeURI(path)}`;
}

/** Rewrites scripts, each file once per site. */
export function createScripts(tools: RewriteTools): Scripts {
  const scripts = new Map<string, Script>();
  const addressed = new Map<string, ScriptAddressed>();
  const open = new Set<string>();
  const search = findSearch(tools);

  function fromFile(path: string, usedIn: string): Script {
    const known = scripts.get(path);
    if (known !== undefined) return known;
    open.add(path);
    const text = adaptSearchScript(path, readSiteText(tools.site.root, path), tools);
    const rewritten = fromText(text, { file: path, base: path, usedIn, firstLine: 1 });
    const lost = usesPagefind(text) ? warnOfSearch(tools) : undefined;
    const warnings = lost === undefined ? rewritten.warnings : [...rewritten.warnings, { ...lost, file: path }];
    // The search answers routes, which the links that are made of its results then lead to.
    const script = { ...rewritten, warnings, namesPages: rewritten.namesPages || path === search?.module };
    scripts.set(path, script);
    open.delete(path);
    return script;
  }

  function fromText(text: string, place: TextPlace): Script {
    const places = findScriptPlaces(text);
    const readWorker = (path: string) => (open.has(path) ? undefined : fromFile(path, place.usedIn));
    const context = { ...tools, text, place, readWorker };
    const findings = places.addresses.map((address) => rewriteAddress(address, context));
    const searching =
      search === undefined || place.file === search.module || !text.includes("pagefind")
        ? []
        : leadComputedImports(places.computedImports, { text, key: moduleKey(search.module), search });
    const searched = searching.length === 0 || search === undefined ? [] : [search.module];
    const edits = [
      ...findings.flatMap(({ edit }) => (edit === undefined ? [] : [edit])),
      ...places.edits,
      ...replaceOwnAddresses(places.ownAddresses, place.file),
      ...replacePathReads(text),
      ...searching,
    ];
    const isNaming = namesPages(context);
    return {
      text: applyEdits(text, edits),
      modules: [...findings.flatMap(({ module }) => (module === undefined ? [] : [module])), ...searched],
      assets: findings.flatMap(({ assets }) => assets ?? []),
      warnings: [
        ...findings.flatMap(({ warning }) => (warning === undefined ? [] : [warning])),
        ...warnOfPathReads(context),
      ],
      namesPages: isNaming || COMPARED_PATH.test(text),
    };
  }

  /** In a `data:` address a module has no place that others could be relative to, so it keeps its old one. */
  function replaceOwnAddresses(places: readonly Omit<Edit, "text">[], file: string): readonly Edit[] {
    if (tools.settings.placement.scripts !== "data") return [];
    const text = JSON.stringify(tools.addresses.ownAddress(file));
    return places.map((place) => ({ ...place, text }));
  }

  function reach(paths: Iterable<string>, usedIn: string): readonly string[] {
    const reached = new Set(paths);
    for (const path of reached) for (const next of fromFile(path, usedIn).modules) reached.add(next);
    return [...reached].toSorted();
  }

  function addressOf(path: string, usedIn: string): ScriptAddressed {
    const known = addressed.get(path);
    if (known !== undefined) return known;
    const { text, assets } = fromFile(path, usedIn);
    const asset =
      tools.settings.placement.scripts === "data"
        ? undefined
        : tools.assets.fromText(text, { path, kind: "script", assets, usedIn });
    const address = asset === undefined ? textDataAddress("text/javascript", text) : renderPlaceholder(asset.hash);
    const made: ScriptAddressed = {
      address,
      entry: `${JSON.stringify(moduleKey(path))}:${JSON.stringify(address)}`,
      assets: asset === undefined ? assets : [asset, ...assets],
    };
    addressed.set(path, made);
    return made;
  }

  return { fromFile, fromText, reach, addressOf };
}

interface Finding {
  readonly edit?: Edit;
  readonly module?: string;
  readonly assets?: readonly SiteAsset[];
  readonly warning?: SiteWarning;
}

interface ScriptContext extends TextContext {
  /** `undefined` for a script that is being read, such as a worker that starts itself again. */
  readonly readWorker: (path: string) => Script | undefined;
}

function rewriteAddress(found: ScriptAddress, context: ScriptContext): Finding {
  return found.kind === "module" ? rewriteImport(found, context) : rewriteAsset(found, context);
}

function rewriteImport({ address, start, end }: ScriptAddress, context: ScriptContext): Finding {
  // A bare name is a matter of the page's own import map.
  if (!/^(?:\.{0,2}\/|https?:)/.test(address)) return {};
  const target = resolveIn(context, address);
  if (target.kind === "foreign") return {};
  if (target.kind !== "file" || kindOf(contentTypeOf(target.path)) !== "script") {
    const line = lineIn(context, start);
    const message = `A script imports ${address}, which the built site does not have as a module.`;
    return { warning: { code: "missing-module", file: context.place.file, line, message } };
  }
  return { module: target.path, edit: { start, end, text: JSON.stringify(moduleKey(target.path)) } };
}

/** Strings are only taken for addresses when a file of the site has exactly that one. */
function rewriteAsset({ kind, address, start, end }: ScriptAddress, context: ScriptContext): Finding {
  const target = resolveIn(context, address);
  if (target.kind !== "file") return {};
  const fileKind = kindOf(contentTypeOf(target.path));
  if (fileKind === "script" && kind === "relative") return rewriteWorker(target.path, { start, end, context });
  if (fileKind === "script" || fileKind === "style") return {};
  if (fileKind === "file" && context.settings.placement.files === "keep") return {};
  const asset = context.assets.fromFile(target.path, { usedIn: context.place.usedIn, optimize: "same-type" });
  const text = JSON.stringify(renderPlaceholder(asset.hash)) + (kind === "relative" ? ",location.href" : "");
  return { assets: [asset], edit: { start, end, text } };
}

/** Browsers start no worker of another host, so it is put into the script, if it needs nothing else. */
function rewriteWorker(
  path: string,
  { start, end, context }: { readonly start: number; readonly end: number; readonly context: ScriptContext },
): Finding {
  const worker = context.readWorker(path);
  if (worker !== undefined && worker.modules.length === 0) {
    const address = textDataAddress("text/javascript", worker.text);
    return { assets: worker.assets, edit: { start, end, text: JSON.stringify(address) } };
  }
  const message = `A script starts ${path} as a worker, which imports others and can't be put into the script.`;
  return { warning: { code: "worker", file: context.place.file, line: lineIn(context, start), message } };
}

/** A place of a script that names a file, with the characters that name it. */
interface ScriptAddress {
  /** `relative`: what stands in the parentheses of `new URL("…", import.meta.url)`, which may be a worker. */
  readonly kind: "module" | "asset" | "relative";
  readonly address: string;
  readonly start: number;
  readonly end: number;
}

let isReady = false;

/** What in a script has to be looked at. `edits` are those that hold wherever the script is. */
interface ScriptPlaces {
  readonly addresses: readonly ScriptAddress[];
  readonly edits: readonly Edit[];
  /** Places of `import.meta.url` that are read by themselves. */
  readonly ownAddresses: readonly Omit<Edit, "text">[];
  /** What stands in the parentheses of an import whose address is worked out. */
  readonly computedImports: readonly Omit<Edit, "text">[];
}

/** Finds imports, whole strings that look like addresses of files, and Vite's lists of what to load ahead. */
function findScriptPlaces(script: string): ScriptPlaces {
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
  const computedImports = imports
    .filter(({ n: address, d: dynamicStart }) => address === undefined && dynamicStart >= 0)
    .map(({ s: start, e: end }) => ({ start, end }));
  return { addresses: [...named, ...assets], edits: findPreloadLists(script), ownAddresses, computedImports };
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

const NAMED = /(["'`])((?:https?:\/\/[\w.:-]+)?\/[^"'`\s\\<>$]*)(\1|\$\{)/g;
// A script that leads to the root or to a relative address; other addresses are looked up.
const LEADS =
  /(?:\blocation(?:\.href)?\s*=(?!=)|\blocation\.(?:assign|replace)\()\s*["'`](?![a-z][a-z+.-]*:|\/\/|[#?"'`])|\b(?:open|navigate)\(\s*["'`]\.{0,2}\/(?!\/)/i;

/**
 * Whether a script names a page of the site: a string that is its address or begins that of several, as in a template.
 * The root alone counts only where the script leads there, since many scripts split texts at slashes.
 */
export function namesPages({ site, addresses, settings, place, text }: TextContext): boolean {
  if (LEADS.test(text)) return true;
  const file = place.base ?? place.file;
  for (const [, , address = "", ending] of text.matchAll(NAMED)) {
    const below = address.startsWith(site.base) ? address.slice(site.base.length - 1) : address;
    if (below === "/") continue;
    const isNamed =
      ending === "${"
        ? [...settings.slugs.keys()].some((route) => route.startsWith(below))
        : addresses.resolve(address, file).kind === "page";
    if (isNamed) return true;
  }
  return false;
}

// What is compared with a text, or taken apart at one, is the path as the script's author knew it. What is compared with
// a link's own address has to stay: that address is another one too where the page is published.
const COMPARED_PATH =
  /(?<![\w$.])(?:(?:window|self|globalThis|document)\.)?location\.pathname(?=\s*(?:[!=]==?\s*["'`]|\.(?:startsWith|endsWith|includes|indexOf|match|split|replace)\(\s*["'`/]))|(?<=["'`]\s*[!=]==?\s*)(?:(?:window|self|globalThis|document)\.)?location\.pathname\b/;
const OTHER_PATH_READ =
  /\blocation\.pathname\b(?!\s*=(?!=))|\{[^{}]*\bpathname\b[^{}]*\}\s*=\s*(?:(?:window|self|globalThis|document)\.)?location\b/;

const TEXT_COMPARED = /[!=]==?\s*["'`]\/|\.(?:startsWith|endsWith|includes|indexOf|match)\(\s*["'`]?\//;

function replacePathReads(text: string): readonly Edit[] {
  if (!text.includes("location.pathname")) return [];
  return Array.from(text.matchAll(new RegExp(COMPARED_PATH, "g")), ({ index, 0: read }) => ({
    start: index,
    end: index + read.length,
    text: "(self.imprintPath?.()??location.pathname)",
  }));
}

/** Other reads may be compared with what stays or with what changes: only the author knows. */
function warnOfPathReads(context: TextContext): readonly SiteWarning[] {
  const others = context.text.replaceAll(new RegExp(COMPARED_PATH, "g"), (read) => " ".repeat(read.length));
  const found = OTHER_PATH_READ.exec(others);
  if (found === null || !TEXT_COMPARED.test(others)) return [];
  const message = "A script reads location.pathname, which is another one where the page is published.";
  return [{ code: "script-reads-path", file: context.place.file, line: lineIn(context, found.index), message }];
}

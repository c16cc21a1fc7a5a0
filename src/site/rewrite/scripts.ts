import { textDataAddress, renderPlaceholder } from "../../html/placeholders.ts";
import { applyEdits, type Edit } from "../../html/edits.ts";
import type { AddressBook, Target } from "../address-book.ts";
import { contentTypeOf, kindOf } from "../content-type.ts";
import type { BuiltSite, Placement, SiteAsset, SiteWarning } from "../model.ts";
import { readSiteText } from "../read-file.ts";
import type { AssetShelf } from "./asset-shelf.ts";
import { findScriptPlaces, type ScriptAddress } from "./script-places.ts";
import { findScriptFileWarnings } from "./script-warnings.ts";

/** A script whose addresses are rewritten. */
export interface Script {
  readonly text: string;
  /** Files of the modules it imports, statically or when needed. */
  readonly modules: readonly string[];
  readonly assets: readonly SiteAsset[];
  readonly warnings: readonly SiteWarning[];
}

export interface ScriptPlace {
  readonly file: string;
  /** What relative addresses are relative to, as a path below the dist folder; `undefined`: another site. */
  readonly base: string | undefined;
  readonly usedIn: string;
  readonly firstLine: number;
}

/** A script as one address, for an import map or a `src`. */
export interface ScriptAddressed {
  readonly address: string;
  /** Name and address as they stand in an import map. */
  readonly entry: string;
  readonly assets: readonly SiteAsset[];
}

export interface Scripts {
  fromFile(path: string, usedIn: string): Script;
  fromText(text: string, place: ScriptPlace): Script;
  /** The modules of `paths` and all they import, sorted. */
  reach(paths: Iterable<string>, usedIn: string): readonly string[];
  /** Where a script file is loaded from. */
  addressOf(path: string, usedIn: string): ScriptAddressed;
}

export interface ScriptTools {
  readonly site: BuiltSite;
  readonly addresses: AddressBook;
  readonly assets: AssetShelf;
  readonly placement: Placement;
}

function withFileWarnings(script: Script, { text, path }: { readonly text: string; readonly path: string }): Script {
  return { ...script, warnings: [...script.warnings, ...findScriptFileWarnings(text, path)] };
}

/** The name under which a module is imported and found in the import map: a bare one, so that any base will do. */
export function moduleKey(path: string): string {
  return `@i/${encodeURI(path)}`;
}

/** Rewrites scripts, each file once per site. */
export function createScripts(tools: ScriptTools): Scripts {
  const scripts = new Map<string, Script>();
  const addressed = new Map<string, ScriptAddressed>();
  const open = new Set<string>();

  function fromFile(path: string, usedIn: string): Script {
    const known = scripts.get(path);
    if (known !== undefined) return known;
    open.add(path);
    const text = readSiteText(tools.site.root, path);
    const script = withFileWarnings(fromText(text, { file: path, base: path, usedIn, firstLine: 1 }), { text, path });
    scripts.set(path, script);
    open.delete(path);
    return script;
  }

  function fromText(text: string, place: ScriptPlace): Script {
    const places = findScriptPlaces(text);
    const readWorker = (path: string) => (open.has(path) ? undefined : fromFile(path, place.usedIn));
    const context = { ...tools, text, place, readWorker };
    const findings = places.addresses.map((address) => rewriteAddress(address, context));
    const edits = [
      ...findings.flatMap(({ edit }) => (edit === undefined ? [] : [edit])),
      ...places.edits,
      ...replaceOwnAddresses(places.ownAddresses, place.file),
    ];
    return {
      text: applyEdits(text, edits),
      modules: findings.flatMap(({ module }) => (module === undefined ? [] : [module])),
      assets: findings.flatMap(({ assets }) => assets ?? []),
      warnings: findings.flatMap(({ warning }) => (warning === undefined ? [] : [warning])),
    };
  }

  /** In a `data:` address a module has no place that others could be relative to, so it keeps its old one. */
  function replaceOwnAddresses(places: readonly Omit<Edit, "text">[], file: string): readonly Edit[] {
    if (tools.placement.scripts !== "data") return [];
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
      tools.placement.scripts === "data"
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

interface ScriptContext extends ScriptTools {
  readonly text: string;
  readonly place: ScriptPlace;
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
    const line = lineOf(context, start);
    const message = `A script imports ${address}, which the built site does not have as a module.`;
    return { warning: { code: "missing-module", file: context.place.file, line, message } };
  }
  return {
    module: target.path,
    edit: { start, end, text: JSON.stringify(moduleKey(target.path)) },
  };
}

/** Strings are only taken for addresses when a file of the site has exactly that one. */
function rewriteAsset({ kind, address, start, end }: ScriptAddress, context: ScriptContext): Finding {
  const target = resolveIn(context, address);
  if (target.kind !== "file") return {};
  const fileKind = kindOf(contentTypeOf(target.path));
  if (fileKind === "script" && kind === "relative") return rewriteWorker(target.path, { start, end, context });
  if (fileKind === "script" || fileKind === "style") return {};
  if (fileKind === "file" && context.placement.files === "keep") return {};
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
  return { warning: { code: "worker", file: context.place.file, line: lineOf(context, start), message } };
}

function resolveIn({ addresses, place }: ScriptContext, address: string): Target {
  return place.base === undefined ? { kind: "foreign" } : addresses.resolve(address, place.base);
}

function lineOf({ text, place }: ScriptContext, offset: number): number {
  return place.firstLine + (text.slice(0, offset).match(/\n/g)?.length ?? 0);
}

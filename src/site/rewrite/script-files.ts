import { readFileSync } from "node:fs";
import { join, posix } from "node:path";
import type { Edit } from "../../html/edits.ts";
import { bytesDataAddress, renderPlaceholder, textDataAddress } from "../../html/placeholders.ts";
import { contentTypeOf, kindOf } from "../content-type.ts";
import type { SiteAsset, SiteWarning } from "../model.ts";
import { placeAsset } from "./assets.ts";
import type { DataFiles } from "./data-files.ts";
import { describeKept, isData, MAX_INLINE_BYTES } from "./data-limits.ts";
import { CUES } from "./file-parts.ts";
import { cutsNames, isBase, namesNeighbors, resolvesFromResponse } from "./name-bases.ts";
import { usesPagefind, type CarriedSearch } from "./pagefind.ts";
import type { ScriptAddress } from "./script-places.ts";
import type { PlacedAsk } from "./scripts.ts";
import { renderWholeSheet, type StyleSheets } from "./style-sheets.ts";
import { lineIn, resolveIn, warningAt, type RewriteTools, type TextContext } from "./text-context.ts";

export interface ScriptTools extends RewriteTools {
  readonly styles: StyleSheets;
  readonly data: DataFiles;
}

/** A file as referenced by a script in the published page. */
export interface Placed {
  readonly address: string;
  readonly assets: readonly SiteAsset[];
  readonly warnings?: readonly SiteWarning[];
  readonly namesPages?: boolean;
  /** Files that data names relative to an address that only scripts know. */
  readonly named?: readonly PlacedAsk[];
  readonly refersToThem?: boolean;
  readonly isScript?: true;
  readonly late?: readonly string[];
}

export interface ScriptContext extends TextContext, ScriptTools {
  /** A worker has no import map, no address of its own, and no route map. */
  readonly runsIn: "page" | "worker";
  readonly search: CarriedSearch | undefined;
  /**
   * Places a script that needs no import map at its own address; `data`: within the script itself. Returns `undefined`
   * for one that is being read, such as a worker that starts itself.
   */
  readonly standAlone: (path: string, where: "library" | "data") => Placed | undefined;
  /** The same for a worker's script, which finds all of its modules. */
  readonly startAlone: (path: string, where: "library" | "data") => Placed | undefined;
  /** Whether a module imports another one, directly or indirectly. */
  readonly reaches: (path: string, other: string) => boolean;
}

export interface Finding {
  readonly edit?: Edit;
  readonly module?: string;
  readonly assets?: readonly SiteAsset[];
  readonly warnings?: readonly SiteWarning[];
  readonly namesPages?: boolean;
  /** Files that data names relative to an address that only scripts know. */
  readonly named?: readonly PlacedAsk[];
  /** Whether it imports modules by addresses that only the script knows. */
  readonly importsByAddress?: true;
  /** Whether it references a script that is loaded by its address, such as a worker. */
  readonly isScript?: true;
  /**
   * Modules that it imports lazily and that import it back, so that it can't contain their addresses. These are in the
   * worker's `self.imprintModules`.
   */
  readonly late?: readonly string[];
}

/** The name of a module in imports and in the import map: a bare specifier, so that it works with any base. */
export function moduleKey(path: string): string {
  return `@i/${encodeURI(path)}`;
}

export function rewriteAddress(found: ScriptAddress, context: ScriptContext): Finding {
  if (found.kind === "module" || found.kind === "lazy-module") return rewriteImport(found, context);
  if (found.use === "service-worker" || isOfPage(found, context)) return {};
  const target = resolveIn(context, found.address);
  if (target.kind !== "file") return {};
  const placed = placeFile(target.path, found, context);
  if (placed === undefined) return {};
  if ("code" in placed) return { warnings: [placed] };
  const isBaseHere = isBaseOfNames(placed, found, context);
  if (isBaseHere || namesAssets(placed, target.path, context)) {
    const cuts = cutsNames(context.text, found.start);
    if (isBaseHere || cuts) return keepAddress({ path: target.path, cutsNames: cuts }, found, context);
  }
  const { address, ...rest } = placed;
  return { ...rest, edit: writeAddress(address, found, context) };
}

/** Whether a script may resolve names in data against the address from which it reads it. */
function isBaseOfNames(placed: Placed, { start, end, use }: ScriptAddress, context: ScriptContext): boolean {
  if (context.runsIn === "worker") return false;
  if (use === "fetch" && resolvesFromResponse(context.text)) return true;
  if (!namesNeighbors(placed)) return false;
  return use === "fetch" || placed.refersToThem === true || isBase(context.text, { start, end });
}

/** Whether a file is data with addresses of assets, which a script in the page may take names out of. */
function namesAssets({ assets }: Placed, path: string, { runsIn }: ScriptContext): boolean {
  return runsIn === "page" && contentTypeOf(path).endsWith("json") && assets.length > 1;
}

/** Keeps the address of a file on the site itself, from which the route map redirects. */
function keepAddress(
  { path, cutsNames: cuts }: { readonly path: string; readonly cutsNames: boolean },
  found: ScriptAddress,
  context: ScriptContext,
): Finding {
  const address = context.site.base + encodeURI(path);
  const { text, place } = context;
  const line = lineIn({ text, place }, found.start);
  return {
    named: [{ address, isComputed: false, isFetched: true, cutsNames: cuts, file: place.file, line }],
    ...(found.kind === "relative" ? { edit: writeAddress(address, found, context) } : {}),
  };
}

/** Whether an address is relative to the page in which a script runs, of which there are many. */
function isOfPage({ kind, address, start, end }: ScriptAddress, { runsIn, text }: ScriptContext): boolean {
  if (kind !== "relative" || runsIn === "worker" || address.startsWith("/")) return false;
  return !text.slice(start, end).includes("import.meta");
}

/** Writes an address so that it is valid in a string within a string: keeps the quotes, and contains none itself. */
export function writeAddress(
  address: string,
  { kind, start, end }: Pick<ScriptAddress, "kind" | "start" | "end">,
  { text }: ScriptContext,
): Edit {
  const [quote = ""] = kind === "css" ? [] : text.slice(start, end).trimStart();
  const safe = kind === "css" ? encode(address, /["'`\\$()\s]/g) : withoutQuotes(address);
  return { start, end, text: quote + safe + quote + (kind === "relative" ? ",location.href" : "") };
}

/** Writes an object of strings in the given quotes. A template can be a key only in brackets. */
export function writeTable(entries: readonly (readonly [string, string])[], quote: string): string {
  const write = (value: string): string => quote + withoutQuotes(value) + quote;
  return `({${entries.map(([key, value]) => `[${write(key)}]:${write(value)}`).join(",")}})`;
}

/** Encodes characters that are special in strings. The same module has the same address wherever it is imported. */
export function withoutQuotes(address: string): string {
  return encode(address, /["'`\\$]/g);
}

function encode(address: string, characters: RegExp): string {
  return address.replace(characters, (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`);
}

function rewriteImport({ kind, address, start, end }: ScriptAddress, context: ScriptContext): Finding {
  // A bare specifier is up to the page's own import map.
  if (!/^(?:\.{0,2}\/|https?:)/.test(address)) return {};
  const target = resolveIn(context, address);
  if (target.kind === "foreign") return {};
  const type = TYPED.exec(context.text.slice(end, end + LONGEST_TYPE))?.[1];
  if (type !== undefined && target.kind === "file") return importFile(target.path, { type, start, end }, context);
  if (target.kind !== "file" || kindOf(contentTypeOf(target.path)) !== "script") {
    const message = `A script imports ${address}, which isn't a module of the built site.`;
    return { warnings: [warningAt(start, context, { code: "missing-module", message })] };
  }
  const { path } = target;
  if (context.runsIn === "page") return { module: path, edit: { start, end, text: JSON.stringify(moduleKey(path)) } };
  if (kind === "lazy-module" && context.reaches(path, context.place.file))
    return { late: [path], edit: { start, end, text: `self.imprintModules[${JSON.stringify(path)}]` } };
  const placed = context.standAlone(path, context.settings.placement.scripts);
  if (placed === undefined) {
    const message = `The worker can't start: its scripts import each other (at ${path}). Move the shared code to a separate module.`;
    return { warnings: [warningAt(start, context, { code: "worker", message })] };
  }
  return { ...placed, edit: writeAddress(placed.address, { kind: "string", start, end }, context) };
}

// `with { type: "json" }` after an import, or `, { with: { type: "css" } }` in an `import()`.
const TYPED = /^\s*(?:,\s*\{\s*)?["']?with["']?\s*:?\s*\{\s*["']?type["']?\s*:\s*["'`](json|css)\b/;
const LONGEST_TYPE = 100;

interface TypedImport extends Pick<ScriptAddress, "start" | "end"> {
  readonly type: string;
}

/** Places JSON or a style sheet that is imported as a module. It isn't a script, so it needs no import map. */
function importFile(path: string, { type, start, end }: TypedImport, context: ScriptContext): Finding {
  const { usedIn } = context.place;
  const placed = type === "css" ? placeStyleModule(path, usedIn, context) : context.data.place(path, usedIn);
  if (placed === undefined) return { warnings: [warningAt(start, context, describeKept(path))] };
  const { address, ...rest } = placed;
  return { ...rest, edit: writeAddress(address, { kind: "string", start, end }, context) };
}

/**
 * Determines where a file referenced by a script is loaded from; a warning if it can't be, `undefined` if its name
 * stays.
 */
function placeFile(
  path: string,
  { kind, use, start }: ScriptAddress,
  context: ScriptContext,
): Placed | SiteWarning | undefined {
  const { settings, place, runsIn } = context;
  const contentType = contentTypeOf(path);
  switch (kindOf(contentType)) {
    case "script":
      return placeScript(path, { kind, use, start }, context);
    case "style":
      return placeStyleSheet(path, place.usedIn, context);
    case "font":
      return settings.placement.fonts === "inline"
        ? { address: dataAddressOf(path, context), assets: [] }
        : placeAsset(path, { assets: context.assets, usedIn: place.usedIn });
    case "image":
      return placeAsset(path, { assets: context.assets, usedIn: place.usedIn });
    case "file":
      if (contentType === CUES && joinsNames(path, context)) return placeAsIs(path, context);
      if (settings.placement.files === "library") return context.data.place(path, place.usedIn);
      // In a page, the route map has the files that scripts read, except those that a module names by its own address.
      if (isData(contentType) && runsIn === "page") {
        return (kind === "relative" || kind === "resolved") && use === undefined
          ? context.data.place(path, place.usedIn)
          : undefined;
      }
      return placeSmall(path, start, context);
  }
}

/** Whether a script puts the folder of a file before names that it reads: `"/media/" + name`. */
function joinsNames(path: string, { site, text }: ScriptContext): boolean {
  const folder = `${site.base}${posix.dirname(path)}/`;
  return ['"', "'", "`", "${"].some((end) => text.includes(folder + end));
}

function placeAsIs(path: string, context: ScriptContext): Placed {
  if (context.settings.placement.files === "keep") return { address: dataAddressOf(path, context), assets: [] };
  return placeAsset(path, { assets: context.assets, usedIn: context.place.usedIn });
}

function placeSmall(path: string, start: number, context: ScriptContext): Placed | SiteWarning {
  const placed = context.data.place(path, context.place.usedIn);
  if (placed !== undefined) return placed;
  if ((context.site.files.get(path)?.bytes ?? 0) <= MAX_INLINE_BYTES)
    return { address: dataAddressOf(path, context), assets: [] };
  return warningAt(start, context, describeKept(path));
}

function placeStyleModule(path: string, usedIn: string, context: ScriptContext): Placed {
  const sheet = context.styles.moduleOf(path, usedIn);
  const { assets, warnings } = sheet;
  const text = renderWholeSheet(sheet, context);
  if (context.settings.placement.files === "keep")
    return { address: textDataAddress("text/css", text), assets, warnings };
  const asset = context.assets.fromText(text, { path, kind: "style", assets, usedIn });
  return { address: renderPlaceholder(asset.hash), assets: [asset, ...assets], warnings };
}

export function placeStyleSheet(
  path: string,
  usedIn: string,
  { styles, settings, inserts }: Pick<ScriptContext, "styles" | "settings" | "inserts">,
): ReturnType<StyleSheets["addressOf"]> {
  if (settings.placement.files === "library") return styles.addressOf(path, usedIn);
  const sheet = styles.fromFile(path, usedIn);
  return { ...sheet, address: textDataAddress("text/css", renderWholeSheet(sheet, { inserts })) };
}

/**
 * In a page, the route map's script starts workers from the library's address. Browsers don't start workers from
 * another host, so a worker's worker is embedded in its text.
 */
function placeScript(
  path: string,
  { kind, use, start }: Pick<ScriptAddress, "kind" | "use" | "start">,
  context: ScriptContext,
): Placed | SiteWarning | undefined {
  if (usesPagefind(`/${path}`)) return undefined;
  const isLoaded = context.runsIn === "page" || kind === "import-scripts";
  const place = kind === "import-scripts" ? context.standAlone : context.startAlone;
  const placed = place(path, isLoaded ? context.settings.placement.scripts : "data");
  if (placed !== undefined) return { ...placed, isScript: true };
  const does = use === undefined ? "loads" : "starts";
  const message = `A worker ${does} ${path}, which also loads the worker, so this part can't work where the page is published.`;
  return warningAt(start, context, { code: "worker", message });
}

function dataAddressOf(path: string, { site }: ScriptContext): string {
  return bytesDataAddress(contentTypeOf(path), readFileSync(join(site.root, path)));
}

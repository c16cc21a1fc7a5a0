import { replaceJsonStrings } from "../../html/address-texts.ts";
import { innerRange } from "../../html/tree.ts";
import { findTarget } from "./targets.ts";
import { contentTypeOf, kindOf } from "../content-type.ts";
import { passWarnings, useAssets, type PageDraft } from "./page-draft.ts";
import { moduleKey } from "./script-files.ts";

/**
 * The import map of a page: every module it can reach, under its name. A page that changes into the next one without
 * loading it never reads the next one's map, so pages with Astro's client router have the modules of the whole site.
 */
export function rewriteImportMap(draft: PageDraft, headStart: number): void {
  const [own] = draft.kept.get("import-map") ?? [];
  const range = own === undefined ? undefined : innerRange(own);
  const source = range === undefined ? "" : draft.html.slice(range.start, range.end);
  const rewritten = rewriteOwnMap(draft, source, nameFolders(draft, source));
  const entries = renderEntries(draft, findMissing(draft, rewritten));
  const merged = range === undefined || entries === "" ? undefined : mergeEntries(rewritten, entries);
  if (range !== undefined && (merged ?? rewritten) !== source)
    draft.edits.push({ ...range, text: merged ?? rewritten });
  if (range !== undefined) draft.inlineTexts.push({ directive: "script-src", text: merged ?? rewritten });
  if (entries === "" || merged !== undefined) return;
  const text = `{"imports":{${entries}}}`;
  const offset = Number.isFinite(draft.scriptStart) ? draft.scriptStart : headStart;
  draft.edits.push({ start: offset, end: offset, text: `<script type="importmap">${text}</script>` });
  draft.inlineTexts.push({ directive: "script-src", text });
}

/** A map that the site has itself may lead to its own files. */
function rewriteOwnMap(draft: PageDraft, json: string, named: string): string {
  const map = named === "" ? json : (mergeEntries(json, named) ?? json);
  return replaceJsonStrings(map, (address) => {
    if (!isWhole(address)) return undefined;
    const target = findTarget(draft, address);
    if (target.kind !== "file" || kindOf(contentTypeOf(target.path)) !== "script") return undefined;
    const { scripts } = draft.context;
    for (const path of scripts.fromFile(target.path, draft.page.file).modules) draft.modules.add(path);
    const { address: placed, assets } = scripts.addressOf(target.path, draft.page.file);
    useAssets(draft, assets);
    return placed;
  });
}

const isWhole = (address: string): boolean => /^(?:\.{0,2}\/|https?:)/.test(address);

/** Each module of a folder that the map names (`"parts/": "/parts/"`): in the library they don't stay side by side. */
function nameFolders({ context, baseFile }: PageDraft, json: string): string {
  if (baseFile === undefined || !/\/"\s*:/.test(json)) return "";
  const { site, addresses } = context;
  const entries: string[] = [];
  replaceJsonStrings(json, (address, key) => {
    if (key?.endsWith("/") !== true || !address.endsWith("/") || !isWhole(address)) return undefined;
    const folder = addresses.relativeFrom(address, baseFile);
    for (const path of folder === undefined ? [] : site.files.keys()) {
      if (!path.startsWith(folder ?? "") || kindOf(contentTypeOf(path)) !== "script") continue;
      const name = JSON.stringify(key + path.slice(folder?.length));
      if (!json.includes(name)) entries.push(`${name}:${JSON.stringify(site.base + encodeURI(path))}`);
    }
    return undefined;
  });
  return entries.join(",");
}

function findMissing(draft: PageDraft, map: string): readonly string[] {
  const { context, page } = draft;
  const wanted = draft.facts.has("client-router") ? [...draft.modules, ...context.builtModules] : draft.modules;
  return context.scripts.reach(wanted, page.file).filter((path) => !map.includes(JSON.stringify(moduleKey(path))));
}

function renderEntries(draft: PageDraft, paths: readonly string[]): string {
  const { scripts } = draft.context;
  const entries = paths.map((path) => {
    const { entry, assets } = scripts.addressOf(path, draft.page.file);
    useAssets(draft, assets);
    passWarnings(draft, scripts.fromFile(path, draft.page.file).warnings);
    return entry;
  });
  return entries.join(",");
}

/** Puts entries into a map; `undefined` when there is no place for them, as in a text that is no map. */
function mergeEntries(map: string, entries: string): string | undefined {
  const opening = /"imports"\s*:\s*\{/.exec(map);
  if (opening === null) return undefined;
  const end = opening.index + opening[0].length;
  const comma = /^\s*\}/.test(map.slice(end)) ? "" : ",";
  return map.slice(0, end) + entries + comma + map.slice(end);
}

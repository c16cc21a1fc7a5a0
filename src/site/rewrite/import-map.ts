import { replaceJsonStrings } from "../../html/address-texts.ts";
import { isJsonObject, parseJson } from "../../base/json.ts";
import { innerRange, type HtmlElement } from "../../html/tree.ts";
import { findTarget } from "./targets.ts";
import { contentTypeOf, kindOf } from "../content-type.ts";
import { passWarnings, replaceElement, useAssets, warn, type PageDraft } from "./page-draft.ts";
import { moduleKey } from "./script-files.ts";

/**
 * Writes the import map of a page: every module that it can reach, by name. Client-side navigation never reads the next
 * page's map, so pages with Astro's client router have the modules of the whole site.
 */
export function rewriteImportMap(draft: PageDraft, headStart: number): void {
  const [own] = draft.kept.get("import-map") ?? [];
  const range = own === undefined ? undefined : innerRange(own);
  const source = range === undefined ? "" : draft.html.slice(range.start, range.end);
  const rewritten = rewriteOwnMap(draft, source, nameModules(draft, own, source));
  const missing = renderEntries(draft, findMissing(draft, rewritten));
  const entries = [missing, ...renderAddresses(draft, rewritten)].filter((each) => each !== "").join(",");
  const merged = range === undefined || entries === "" ? undefined : mergeEntries(rewritten, entries);
  const isLate = merged !== undefined && (own?.source?.start ?? 0) > draft.scriptStart;
  if (range !== undefined && own !== undefined) {
    // Scripts before the map already need its entries.
    if (isLate) replaceElement(draft, own, "");
    else if ((merged ?? rewritten) !== source) draft.edits.push({ ...range, text: merged ?? rewritten });
    draft.inlineTexts.push({ directive: "script-src", text: merged ?? rewritten, original: source });
  }
  if (entries === "" || (merged !== undefined && !isLate)) return;
  const text = merged ?? `{"imports":{${entries}}}`;
  const offset = Number.isFinite(draft.scriptStart) ? draft.scriptStart : headStart;
  draft.edits.push({ start: offset, end: offset, text: `<script type="importmap">${text}</script>` });
  if (merged === undefined) draft.inlineTexts.push({ directive: "script-src", text });
}

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

/**
 * Resolves what the map specifies for folders: the modules in each mapped folder (`"parts/": "/parts/"`), and what a
 * name means within a folder (`scopes`). In the library, modules aren't stored side by side.
 */
function nameModules(draft: PageDraft, own: HtmlElement | undefined, json: string): string {
  const { context, baseFile } = draft;
  const map = json === "" ? undefined : parseJson(json);
  if (baseFile === undefined || !isJsonObject(map)) return "";
  const known = addressesOf(map["imports"]);
  const named = new Map(known);
  for (const scope of isJsonObject(map["scopes"]) ? Object.values(map["scopes"]) : []) {
    for (const [name, address] of addressesOf(scope)) {
      const other = named.get(name);
      named.set(name, other ?? address);
      if (other === undefined || other === address) continue;
      const message = `The import map maps "${name}" to something else in a folder. Where the page is published, it is always ${other}. Use two different names.`;
      warn(draft, own, { code: "import-map", message });
    }
  }
  for (const [folderName, address] of [...named]) {
    if (!folderName.endsWith("/") || !address.endsWith("/") || !isWhole(address)) continue;
    const folder = context.addresses.relativeFrom(address, baseFile);
    for (const path of folder === undefined ? [] : context.site.files.keys()) {
      if (!path.startsWith(folder ?? "") || kindOf(contentTypeOf(path)) !== "script") continue;
      const name = folderName + path.slice(folder?.length);
      if (!named.has(name)) named.set(name, context.site.base + encodeURI(path));
    }
  }
  const entries = [...named].filter(([name]) => !known.has(name));
  return entries.map((entry) => entry.map((text) => JSON.stringify(text)).join(":")).join(",");
}

function addressesOf(names: unknown): ReadonlyMap<string, string> {
  const entries = isJsonObject(names) ? Object.entries(names) : [];
  return new Map(entries.flatMap(([name, address]) => (typeof address === "string" ? [[name, address]] : [])));
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

/** Names the modules that scripts import by an address from the root, which a map may have, too. */
function renderAddresses({ context, page, modulesByAddress }: PageDraft, map: string): readonly string[] {
  return [...modulesByAddress].toSorted().flatMap((path) => {
    const name = JSON.stringify(context.site.base + encodeURI(path));
    const { entry } = context.scripts.addressOf(path, page.file);
    return map.includes(`${name}:`) ? [] : [name + entry.slice(JSON.stringify(moduleKey(path)).length)];
  });
}

/** Adds entries to a map; `undefined` if there is no place for them, as in a text that isn't a map. */
function mergeEntries(map: string, entries: string): string | undefined {
  const opening = /"imports"\s*:\s*\{/.exec(map);
  if (opening === null) return undefined;
  const end = opening.index + opening[0].length;
  const comma = /^\s*\}/.test(map.slice(end)) ? "" : ",";
  return map.slice(0, end) + entries + comma + map.slice(end);
}

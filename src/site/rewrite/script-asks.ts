import { decodeComponent } from "../../base/decode-component.ts";
import { onceEach } from "../../base/once-each.ts";
import type { Edit } from "../../html/edits.ts";
import { contentTypeOf, kindOf } from "../content-type.ts";
import type { BuiltSite } from "../model.ts";
import { areFew, isData } from "./data-limits.ts";
import { listMatching } from "./matching-files.ts";
import { cutsNames, findResponseNames } from "./name-bases.ts";
import { usesPagefind } from "./pagefind.ts";
import { readAppended } from "./joined-strings.ts";
import { findFolders } from "./script-folders.ts";
import { findNames } from "./script-names.ts";
import {
  moduleKey,
  withoutQuotes,
  writeAddress,
  writeTable,
  type Finding,
  type ScriptContext,
} from "./script-files.ts";
import { findUse, HOLE, isJoined, markComputed, mayEndName } from "./script-places.ts";
import { resolveIn, warningAt } from "./text-context.ts";

/** An address that a script may request at run time, other than through a replaced string. */
export interface Ask {
  /**
   * As written, with `*` for computed parts and `**` for a folder that only the script knows. Relative addresses are
   * relative to the page.
   */
  readonly address: string;
  readonly isComputed: boolean;
  /** Whether it is the direct argument of a fetching call. */
  readonly isFetched: boolean;
  /** Whether it is the argument of an `import()`, which the route map doesn't see. */
  readonly isImported?: boolean;
  /** Whether a worker is started from it. */
  readonly startsWorker?: boolean;
  /** Whether it is preceded by another value, such as the site's base or origin. */
  readonly isJoined?: boolean;
  /** Whether the script takes names out of addresses, such as those in the data that it requests. */
  readonly cutsNames?: boolean;
  /** Whether the script only names the folder, which may have another meaning. */
  readonly isGuess?: boolean;
  readonly start: number;
  readonly end: number;
}

const FETCH = /(?:\bfetch\(\s*(?:new\s+(?:Request|URL)\(\s*)?|\bnew\s+Request\(\s*|\.open\(\s*(["'`])\w+\1\s*,\s*)$/;
// Also as rewritten by us, since published pages may be rewritten again.
const IMPORT = /(?:\bimport\(\s*|\+a\.slice\(\d+\):a\)\(|\?\?e\)\()$/;
// `workerSrc = "../build/worker.mjs"`, `{ workerSrc: { value: "../build/worker.mjs" } }`
const WORKER = /worker(?:[_-]?(?:src|ur[il]|path|file|script))?["']?\s*(?:=(?!=)|:)\s*(?:\{\s*value\s*:\s*)?$/i;
// Excludes code characters, so that what is between two strings isn't mistaken for one.
const WRITTEN =
  /(["'`])((?:(?:https?:)?\/\/[\w.:-]+(?=\/))?[\w./](?:[^"'`\s\\<>$:*(){}[\]=,;!&|+?#]| (?! )){0,500}(?:[?#][^"'`\s\\<>$]*)?)\1/g;
const TEMPLATE = new RegExp(
  String.raw`\`((?:https?:\/\/[\w.:-]+)?\.{0,2}\/(?! )[^\`\t\n\r\\<>$]*(?:${HOLE.source}[^\`\t\n\r\\<>\${}]*)+)\``,
  "g",
);
// In markup that a script builds.
const MARKUP = new RegExp(
  String.raw`\b(?:src|href|data|poster)=\\?["']?(\/(?!\/)[^"'\`\s\\<>$]*(?:${HOLE.source}[^"'\`\s\\<>\${}]*)+)(?=["'\\\s>])`,
  "g",
);
// In a `srcset`: the text before a width or density, both of which may be computed too.
const CANDIDATE = new RegExp(
  String.raw`(?<=["'\`\s,=])(\/(?!\/)[^"'\`\s\\<>$,]*(?:${HOLE.source}[^"'\`\s\\<>\${},]*)+)(?=\s+(?:[\d.]+[wx]\b|\$\{))`,
  "g",
);
// `${base}/photo.png`
const ENDING = new RegExp(
  String.raw`\/(?<=${HOLE.source}\/)(?!\/)(?:[^"'\`\s\\<>$*(){}[\],;|]| (?! )){1,500}\.[a-z0-9]{2,11}(?=\`)`,
  "gi",
);
// As filled in by libraries for maps and translations: `/tiles/{z}/{x}/{-y}{r}.png?key={key}`, `/locales/{{lng}}.json`
const FILLED =
  /(["'`])(\.{0,2}\/(?!\/)(?:[^"'`\t\n\r\\<>${}]|\{\{?-?\w+\}?\})*\{\{?-?\w+\}?\}[^"'`\t\n\r\\<>${}]*\.[a-z0-9]{2,11}(?:\?[^"'`\s\\<>$]*)?)\1/gi;
// The beginning of a concatenation, alone in a string, in markup, or in a `srcset`.
const BEGINNING =
  /(?:["'`]|[wx],\s*|(\b(?:src|href|data|poster)=\\?["']?))(\.{0,2}\/(?:[^"'`\s\\<>$]| (?! ))*)["'`](?=\s*\+)/g;
// `/photos/*`, where the value is the whole name, but not `/*`.
const IN_FOLDER = /^\.{0,2}\/(?!\/).*[^*/.]\/\*(?:[?#].*)?$/;

interface Found extends Ask {
  /** Whether its last part is computed, and is the ending of a file's name. */
  readonly hasEnding?: boolean;
}

/** Finds addresses with a query, relative addresses, and concatenated ones. */
export function findAsks(script: string): readonly Ask[] {
  const find = (
    pattern: RegExp,
    read: (match: RegExpExecArray) => Pick<Found, "address" | "isComputed" | "isJoined" | "hasEnding">,
  ) =>
    Array.from(script.matchAll(pattern), (match): Found => {
      const { index: start } = match;
      return { ...read(match), ...see(start), start, end: start + match[0].length };
    });
  const see = (start: number): Pick<Ask, "isFetched" | "isImported" | "startsWorker"> => {
    const before = script.slice(Math.max(0, start - 60), start);
    const startsWorker = findUse(script, start)?.endsWith("worker") === true || WORKER.test(before);
    return { isFetched: FETCH.test(before), isImported: IMPORT.test(before), startsWorker };
  };
  const computed = [
    ...[TEMPLATE, MARKUP, CANDIDATE].flatMap((pattern) =>
      find(pattern, ([, text = ""]) => ({
        address: markComputed(text),
        isComputed: true,
        hasEnding: mayEndName(text),
      })),
    ),
    ...find(FILLED, ([, , text = ""]) => ({ address: text.replace(/(?:\{\{?-?\w+\}?\})+/g, "*"), isComputed: true })),
    ...findResponseNames(script).map(({ name, ...range }): Found => {
      return { ...range, address: `/**/${name}`, isComputed: true, isFetched: true };
    }),
    ...findJoined(script).map((joined): Found => ({ ...joined, ...see(joined.start), isComputed: true })),
  ];
  const written = [
    ...find(WRITTEN, ({ index, 2: address = "" }) => {
      return { address, isComputed: false, isJoined: isJoined(script, index) };
    }),
    ...find(ENDING, ([address]) => ({ address, isComputed: false, isJoined: true })),
  ];
  const found = [
    ...computed.filter(
      ({ address, isFetched, hasEnding }) =>
        isFetched || hasEnding || /\.[a-z0-9]{2,11}(?:[?#].*)?$/i.test(address) || IN_FOLDER.test(address),
    ),
    // A name alone is an address only if it is fetched.
    ...written.filter(({ address, isFetched }) => isFetched || /^(?:https?:|\.{0,2}\/)/.test(address)),
  ];
  return found.toSorted((one, other) => one.start - other.start);
}

function findJoined(script: string): readonly Pick<Found, "address" | "start" | "end" | "hasEnding">[] {
  return Array.from(script.matchAll(BEGINNING)).flatMap(({ index: start, 0: found, 1: attribute, 2: before = "" }) => {
    const last = attribute === undefined ? /["'`\t\n\r\\<>]|\s[\d.]*(?:[wx]\b|$)/ : /["'`\s\\<>]/;
    const joined = readAppended(script, start + found.length, last);
    if (joined === undefined) return [];
    const hasEnding = joined.text.endsWith("*") && mayEndName(script.slice(start, joined.end));
    return [{ address: before + joined.text, start, end: joined.end, hasEnding }];
  });
}

/**
 * Returns what a script requests but doesn't contain: each address once, or each occurrence in a worker, where it is
 * inserted.
 */
export function placeAsks(context: ScriptContext, findings: readonly Finding[]): readonly Ask[] {
  const edits = findings.flatMap(({ edit }) => (edit === undefined ? [] : [edit]));
  const asks = new Map<string, Ask>();
  for (const ask of [...findAsks(context.text), ...findNames(context), ...findFolders(context)]) {
    // An address may be replaced without its quotes.
    const isReplaced = edits.some(({ start, end }) => start <= ask.start + 1 && ask.start < end);
    const key = context.runsIn === "worker" ? `${ask.start}` : ask.address;
    if (isReplaced || ask.isImported === true || !isNeeded(ask, context) || asks.has(key)) continue;
    const cuts = isFetchedData(ask) && cutsNames(context.text, ask.start);
    asks.set(key, cuts ? { ...ask, cutsNames: true } : ask);
  }
  return [...asks.values()];
}

function isFetchedData({ address, isFetched }: Ask): boolean {
  return isFetched || isData(contentTypeOf(address.replace(/[?#].*$/, "")));
}

function isNeeded(
  { address, isComputed, isFetched, startsWorker, isJoined: hasStart }: Ask,
  context: ScriptContext,
): boolean {
  if (context.runsIn === "worker") return isFetched;
  if (isComputed) return true;
  if (!/^(?:https?:|\/)/.test(address))
    return (
      isFetched || startsWorker === true || hasStart === true || isData(contentTypeOf(address.replace(/[?#].*$/, "")))
    );
  const target = resolveIn(context, address);
  if (target.kind === "page") return isUnpublished(target.page.route, context.settings);
  if (target.kind !== "file") return false;
  const type = contentTypeOf(target.path);
  return isData(type) || ((isFetched || hasStart === true) && !/^(?:script|style)$/.test(kindOf(type)));
}

/** Whether HTML of the site isn't a page of its own, such as a fragment that scripts fetch. */
export function isUnpublished(route: string, settings: ScriptContext["settings"]): boolean {
  return !settings.slugs.has(route) && settings.heldPages?.[route] === undefined;
}

/** Formats an address for messages. */
export function showAsk({ address, isGuess }: Pick<Ask, "address" | "isGuess">): string {
  return isGuess === true ? address.replace("**/*", "…") : address.replace(/^.*\*\*\//, "…/");
}

/** A worker has no route map, so it must contain what it requests. */
export function rewriteAsk(ask: Ask, context: ScriptContext): Finding {
  const { address, isComputed, start, end } = ask;
  const found = isComputed ? rewriteComputed(ask, context) : undefined;
  if (found !== undefined) return found;
  const target = isComputed ? undefined : resolveIn(context, address);
  if (target?.kind === "foreign" || target?.kind === "missing") return {};
  if (target?.kind === "file") {
    const placed = context.data.place(target.path, context.place.usedIn);
    if (placed !== undefined)
      return {
        assets: placed.assets,
        warnings: placed.warnings ?? [],
        edit: writeAddress(placed.address, { kind: "string", start, end }, context),
      };
  }
  const slug = target?.kind === "page" ? context.settings.slugs.get(target.page.route) : undefined;
  const published = slug === undefined ? undefined : context.settings.pageUrl?.(slug);
  if (published !== undefined) return { edit: writeAddress(published, { kind: "string", start, end }, context) };
  const message = `A worker requests ${showAsk(ask)}, which it can't find where the page is published.`;
  return { warnings: [warningAt(start, context, { code: "worker", message })] };
}

/** Returns a computed address as a path below the site's base; `undefined` for one of another site. */
function pathOf(address: string, { addresses, site, place }: ScriptContext): string | undefined {
  const base = addresses.ownAddress(place.file);
  const url = URL.parse(address, base);
  if (url === null || url.origin !== new URL(base).origin || !url.pathname.startsWith(site.base)) return undefined;
  return decodeComponent(url.pathname).slice(site.base.length);
}

// The import map has whole addresses, but a module's own address may be on another host.
const RESOLVE = "(a=>/^[/]/.test(a)?new self.URL(a,document.baseURI).href:a)(";

/** Lets an `import()` of an address that only the script knows find the modules that the import map has by address. */
function resolveImport({ start, end }: Omit<Edit, "text">, { text, runsIn, site }: ScriptContext): Finding[] {
  // Astro's islands and Pagefind import by the names in the import map.
  if (runsIn === "worker" || /renderer-url|pagefind/.test(text) || !hasOwnModules(site)) return [];
  // Published pages may be rewritten again.
  if (text.startsWith(RESOLVE, start)) return [{ importsByAddress: true }];
  if (text.startsWith("(a=>", start)) return [];
  const edits = [
    { start, end: start, text: RESOLVE },
    { start: end, end, text: ")" },
  ];
  return edits.map((edit) => ({ edit, importsByAddress: true }));
}

const hasOwnModules = onceEach(({ files, assetsDir }: BuiltSite) =>
  [...files.keys()].some((path) => kindOf(contentTypeOf(path)) === "script" && !path.startsWith(`${assetsDir}/`)),
);

/** Leads each `import()` of a computed address to the modules that it may mean, by their names in the import map. */
export function rewriteComputedImports(places: readonly Omit<Edit, "text">[], context: ScriptContext): Finding[] {
  const asks = places.length === 0 ? [] : findAsks(context.text).filter(({ isComputed }) => isComputed);
  return places.flatMap(({ start, end }): Finding[] => {
    const ask = asks.find((each) => each.start === start);
    const [written = ""] = ask?.address.split("*") ?? [];
    const folder = pathOf(written, context);
    if (ask === undefined) return resolveImport({ start, end }, context);
    if (folder === undefined || usesPagefind(ask.address)) return [];
    const { named } = listMatching(pathOf(ask.address, context) ?? "", ask, context);
    const paths = named.filter((path) => kindOf(contentTypeOf(path)) === "script");
    if (paths.length === 0 || context.runsIn === "worker" || !areFew(paths, ask, context)) {
      const message = `A script imports ${ask.address}, and its modules can't be found where the page is published. Import each of them by its own address.`;
      return [{ warnings: [warningAt(start, context, { code: "missing-module", message })] }];
    }
    const names = JSON.stringify(paths.map((path) => encodeURI(path.slice(folder.length))));
    const rest = `a.slice(${written.length})`;
    const opening = `(a=>${names}.includes(${rest})?${JSON.stringify(moduleKey(folder))}+${rest}:a)(`;
    const edits = [
      { start, end: start, text: opening },
      { start: end, end, text: ")" },
    ];
    return [...edits.map((edit) => ({ edit })), ...paths.map((module) => ({ module }))];
  });
}

/** Creates a lookup table for the possible values of a computed address, by path, where the address is built. */
function rewriteComputed(ask: Ask, context: ScriptContext): Finding | undefined {
  const { addresses, site, place, text, data } = context;
  const { start, end } = ask;
  const base = addresses.ownAddress(place.file);
  const quote = text.charAt(start);
  const isWhole = /^["'`]$/.test(quote) && /^\s*[),]/.test(text.slice(end, end + 20));
  const path = isWhole ? pathOf(ask.address, context) : undefined;
  if (path === undefined) return undefined;
  const named = /[^*/.]/.test(path) ? listMatching(path, ask, context).named : [];
  // Their names must be valid in a string within a string, and a fragment of a page isn't a file.
  const isPlain = named.length > 0 && named.every((each) => site.files.has(each) && !/["'`\\$]/.test(each));
  if (!isPlain || !areFew(named, ask, context)) return undefined;
  const placed = named.flatMap((each) => data.place(each, place.usedIn) ?? []);
  if (placed.length < named.length) return undefined;
  const entries = placed.map((file, index) => [encodeURI(site.base + named[index]), file.address] as const);
  const opening = `(a=>${writeTable(entries, quote)}[new URL(a,${quote}${withoutQuotes(base)}${quote}).pathname]??a)(`;
  return {
    assets: placed.flatMap(({ assets }) => assets),
    warnings: placed.flatMap(({ warnings = [] }) => warnings),
    edit: { start, end, text: `${opening}${text.slice(start, end)})` },
  };
}

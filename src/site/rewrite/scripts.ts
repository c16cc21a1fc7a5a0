import { escapePattern } from "../../base/escape-pattern.ts";
import { applyEdits, type Edit } from "../../html/edits.ts";
import { renderPlaceholder, textDataAddress } from "../../html/placeholders.ts";
import { contentTypeOf, kindOf } from "../content-type.ts";
import type { SiteAsset, SiteWarning } from "../model.ts";
import { readSiteText } from "../read-file.ts";
import { replaceActiveLinks } from "./active-links.ts";
import { findComputedStyles } from "./computed-styles.ts";
import { adaptSearchScript, findSearch, redirectComputedImports, usesPagefind, warnOfSearch } from "./pagefind.ts";
import { placeAsks, rewriteAsk, rewriteComputedImports, type Ask } from "./script-asks.ts";
import {
  moduleKey,
  rewriteAddress,
  type Finding,
  type ScriptContext,
  type ScriptTools,
  type Placed,
} from "./script-files.ts";
import { findElementLookups, type ElementLookup } from "./element-lookups.ts";
import { findImageParts, warnOfStyleFolders, type ImageParts } from "./image-parts.ts";
import { rewriteImageSelectors } from "./image-selectors.ts";
import { rewriteJoinedOrigins } from "./joined-origins.ts";
import { findOriginFiles } from "./origin-files.ts";
import { findScriptPlaces, type ScriptPlaces } from "./script-places.ts";
import { replaceResponseUrls } from "./name-bases.ts";
import { replaceLinkReads } from "./link-reads.ts";
import { rewriteLinkSelectors } from "./link-selectors.ts";
import { replacePathReads, warnOfPathReads } from "./path-reads.ts";
import {
  findComputedStyle,
  resolveFromRoute,
  namesPages,
  warnOfActions,
  warnOfCaches,
  warnOfRegistrations,
  type ScriptPlace,
} from "./script-routes.ts";
import { redirectSentForms, warnOfEndpoints, type SentForm } from "./sent-forms.ts";
import { findScriptSprites } from "./sprites.ts";
import { findSwappedImages } from "./swapped-images.ts";
import { lineIn, resolveIn, warningAt, type TextPlace } from "./text-context.ts";
import { createWorkers } from "./workers.ts";

export interface Script {
  readonly text: string;
  /** Files of the modules that it imports, statically or dynamically. */
  readonly modules: readonly string[];
  readonly assets: readonly SiteAsset[];
  readonly warnings: readonly SiteWarning[];
  /** Whether pages with it need the route map: it may navigate to pages, request files, or start workers. */
  readonly needsMap: boolean;
  readonly startsWorkers: boolean;
  /** Whether it imports modules by addresses that only the script knows. */
  readonly importsByAddress: boolean;
  /** Whether it compares links with the page's own path, for which they keep their written addresses. */
  readonly comparesLinks: boolean;
  /** Where it inserts a value as an address into a style. */
  readonly computedStyle: ScriptPlace | undefined;
  readonly sentForms: readonly SentForm[];
  readonly elementLookups: readonly ElementLookup[];
  /** Addresses that it may request but no longer contains. */
  readonly asks: readonly PlacedAsk[];
  /** Files named by the data that it requests. */
  readonly named: readonly PlacedAsk[];
  /** Files whose symbols it shows, which the page must contain. */
  readonly sprites: readonly string[];
  readonly imageParts: ImageParts;
  /** For a worker: modules whose addresses it receives when it starts. */
  readonly late: readonly string[];
}

/** An address that a script requests, with its position. */
export interface PlacedAsk extends Omit<Ask, "start" | "end">, ScriptPlace {}

/** A script as a single address, for an import map or a `src`. */
interface ScriptAddressed {
  readonly address: string;
  /** Name and address as in an import map. */
  readonly entry: string;
  readonly assets: readonly SiteAsset[];
}

export interface Scripts {
  fromFile(path: string, usedIn: string): Script;
  fromText(text: string, place: TextPlace): Script;
  /** Returns the modules in `paths` and everything they import, sorted. */
  reach(paths: Iterable<string>, usedIn: string): readonly string[];
  addressOf(path: string, usedIn: string): ScriptAddressed;
  /** Returns where a worker is started from; `undefined` if it starts itself in a cycle. */
  startWorker(path: string, usedIn: string): Placed | undefined;
}

/** Creates the rewriter of scripts, which processes each file once per site. */
export function createScripts(tools: ScriptTools): Scripts {
  const scripts = { page: new Map<string, Script>(), worker: new Map<string, Script>() };
  const addressed = new Map<string, ScriptAddressed>();
  const workers = createWorkers(tools, (path, usedIn) => fromFile(path, usedIn, "worker"));
  const search = findSearch(tools);

  function fromFile(path: string, usedIn: string, runsIn: ScriptContext["runsIn"] = "page"): Script {
    const known = scripts[runsIn].get(path);
    if (known !== undefined) return known;
    const text = adaptSearchScript(path, readSiteText(tools.site.root, path), tools);
    const rewritten = rewriteText(text, { file: path, base: path, usedIn, firstLine: 1 }, runsIn);
    const lost = usesPagefind(text) ? warnOfSearch(tools) : undefined;
    const warnings = lost === undefined ? rewritten.warnings : [...rewritten.warnings, { ...lost, file: path }];
    // The search returns original routes, which links to its results then use.
    const script = { ...rewritten, warnings, needsMap: rewritten.needsMap || path === search?.module };
    scripts[runsIn].set(path, script);
    return script;
  }

  function rewriteText(text: string, place: TextPlace, runsIn: ScriptContext["runsIn"]): Script {
    return rewriteScript({
      ...tools,
      ...{ text, place, runsIn, search },
      standAlone: (path, where) => workers.placeModule(path, { usedIn: place.usedIn, where }),
      startAlone: (path, where) => workers.place(path, { usedIn: place.usedIn, where }),
      reaches: (path, other) => reach([path], place.usedIn).includes(other),
    });
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
    const [, start, body = ""] = /^("(?:data:[^,]*,)?)(.*)"$/s.exec(JSON.stringify(address)) ?? [];
    const made: ScriptAddressed = {
      address,
      entry: `${JSON.stringify(moduleKey(path))}:${start}${tools.inserts.addText(body)}"`,
      assets: asset === undefined ? assets : [asset, ...assets],
    };
    addressed.set(path, made);
    return made;
  }

  return {
    fromFile: (path, usedIn) => fromFile(path, usedIn),
    fromText: (text, place) => rewriteText(text, place, "page"),
    reach,
    addressOf,
    startWorker: (path, usedIn) => workers.place(path, { usedIn, where: tools.settings.placement.scripts }),
  };
}
function rewriteScript(context: ScriptContext): Script {
  const { text, place, runsIn } = context;
  const places = findScriptPlaces(text);
  const findings = findAddresses(places, context);
  const asks = placeAsks(context, findings);
  if (runsIn === "worker") findings.push(...asks.map((ask) => rewriteAsk(ask, context)));
  const sprites = runsIn === "page" ? findScriptSprites(context) : [];
  const leading = runsIn === "page" ? resolveFromRoute(text) : [];
  const linked = runsIn === "page" ? replaceLinkReads(context) : [];
  const compared = runsIn === "page" ? replacePathReads(text) : [];
  const marked = runsIn === "page" ? replaceActiveLinks(text, [...linked, ...compared]) : [];
  const { sent: sentForms, edits: received } = runsIn === "page" ? redirectSentForms(context) : { sent: [], edits: [] };
  const searching = redirectToSearch(places.computedImports, context);
  const edits = [
    ...searching,
    ...findings.flatMap(({ edit }) => (edit === undefined ? [] : [edit])),
    ...places.edits,
    ...sprites.map(({ edit }) => edit),
    ...replaceOwnAddresses(places.ownAddresses, context),
    ...replaceCurrentScript(context),
    ...(runsIn === "page"
      ? [...replaceAudio(context), ...rewriteJoinedOrigins(text), ...replaceResponseUrls(text)]
      : []),
    ...(runsIn === "page" ? rewriteLinkSelectors(context, (address) => resolveIn(context, address)) : []),
    ...leading,
    ...linked,
    ...compared,
    ...marked,
    ...received,
  ];
  const registrations = warnOfRegistrations(context);
  const startsWorkers =
    asks.some(({ startsWorker }) => startsWorker) ||
    (/\bWorker\(/.test(text) && findings.some(({ isScript }) => isScript === true));
  const leads =
    namesPages(context) ||
    sentForms.length > 0 ||
    compared.length + marked.length > 0 ||
    findings.some((finding) => finding.namesPages === true);
  return {
    text: applyEdits(text, edits),
    modules: [
      ...findings.flatMap(({ module }) => (module === undefined ? [] : [module])),
      ...(searching.length === 0 || context.search === undefined ? [] : [context.search.module]),
    ],
    assets: findings.flatMap(({ assets }) => assets ?? []),
    warnings: [
      ...findings.flatMap(({ warnings }) => warnings ?? []),
      ...registrations,
      ...warnOfEndpoints(context),
      ...(runsIn === "page"
        ? [...warnOfCaches(context), ...warnOfActions(context), ...warnOfStyleFolders(context)]
        : []),
      ...(runsIn === "page" ? warnOfPathReads(context, [...linked, ...compared, ...marked]) : []),
    ],
    needsMap: leads || leading.length > 0 || startsWorkers || registrations.length > 0,
    startsWorkers,
    importsByAddress: findings.some(({ importsByAddress }) => importsByAddress === true),
    comparesLinks: marked.length > 0,
    computedStyle: runsIn === "page" ? findComputedStyle(context) : undefined,
    sentForms,
    elementLookups: runsIn === "page" ? findElementLookups(context) : [],
    sprites: sprites.map(({ path }) => path),
    imageParts: findImageParts(context),
    late: findings.flatMap(({ late }) => late ?? []),
    named: findings.flatMap(({ named }) => named ?? []),
    asks: asks.map(({ start, ...ask }) => ({
      ...ask,
      file: place.file,
      line: lineIn(context, start),
    })),
  };
}

function findAddresses(places: ScriptPlaces, context: ScriptContext): Finding[] {
  const whole = findOriginFiles(context);
  const isWhole = ({ start: at }: Pick<Edit, "start">): boolean =>
    whole.some(({ edit }) => edit !== undefined && edit.start <= at && at < edit.end);
  return [
    ...whole,
    ...places.addresses.filter((each) => !isWhole(each)).map((address) => rewriteAddress(address, context)),
    ...rewriteComputedImports(places.computedImports, context),
    ...findSwappedImages(context),
    ...(context.runsIn === "page"
      ? [
          ...findComputedStyles(context),
          ...rewriteImageSelectors(context, (start, warning) => warningAt(start, context, warning)),
        ]
      : []),
  ];
}

/**
 * In a `data:` address and in a worker, a module has no address that others could be relative to, so it keeps its old
 * one.
 */
function replaceOwnAddresses(
  places: readonly Omit<Edit, "text">[],
  { settings, runsIn, addresses, place }: ScriptContext,
): readonly Edit[] {
  if (settings.placement.scripts !== "data" && runsIn === "page") return [];
  const text = JSON.stringify(addresses.ownAddress(place.file));
  return places.map((each) => ({ ...each, text }));
}

const CURRENT_SCRIPT = String.raw`(?<![\w$.])(?:window\.)?document\.currentScript`;
const OWN_SOURCE = String.raw`(?:\??\.src\b|\??\.getAttribute\((["'\`])src\1\))(?!\s*=(?!=))`;
const KEPT_SCRIPT = new RegExp(String.raw`([\w$]+)\s*=\s*${CURRENT_SCRIPT}(?!\s*[?.])`, "g");
// A short name may mean something else further on.
const REACH_OF_SHORT_NAME = 200;

/** A classic script resolves adjacent files against its original address on the site's own host. */
function replaceCurrentScript({ text, place, runsIn, site }: ScriptContext): readonly Edit[] {
  const isFile = kindOf(contentTypeOf(place.file)) === "script";
  if (!isFile || runsIn === "worker" || !text.includes("currentScript") || usesPagefind(text)) return [];
  const kept = Array.from(text.matchAll(KEPT_SCRIPT), ({ index, 1: name = "" }) => {
    const end = name.length > 2 ? text.length : index + REACH_OF_SHORT_NAME;
    return { start: index, end, pattern: String.raw`(?<![\w$.])${escapePattern(name)}` };
  });
  const places = [{ start: 0, end: text.length, pattern: CURRENT_SCRIPT }, ...kept];
  const address = `new self.URL(${JSON.stringify(site.base + encodeURI(place.file))},document.baseURI).href`;
  return places.flatMap(({ start, end, pattern }) =>
    [...text.matchAll(new RegExp(pattern + OWN_SOURCE, "g"))]
      .filter(({ index }) => start <= index && index < end)
      .map(({ index, 0: found }) => ({ start: index, end: index + found.length, text: address })),
  );
}

// With an address that is computed; written ones are replaced.
const AUDIO = /\bnew\s+(?:(?:window|self|globalThis)\.)?Audio\((?!\s*\))(?!\s*(["'`])[^"'`$]*\1\s*\))/g;

/** The route map redirects what sets the `src` of an element, but not what creates one with it. */
function replaceAudio({ text }: ScriptContext): readonly Edit[] {
  if (!text.includes("Audio(")) return [];
  return Array.from(text.matchAll(AUDIO), ({ index: start, 0: found }) => {
    return { start, end: start + found.length, text: "(src=>Object.assign(new self.Audio,{src}))(" };
  });
}

function redirectToSearch(
  places: readonly Omit<Edit, "text">[],
  { search, text, place, runsIn }: ScriptContext,
): readonly Edit[] {
  if (search === undefined || runsIn === "worker" || place.file === search.module || !text.includes("pagefind"))
    return [];
  return redirectComputedImports(places, { text, key: moduleKey(search.module), search });
}

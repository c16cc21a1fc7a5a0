import { readdirSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { ImprintError } from "../base/error.ts";
import { normalizeRoute } from "../contract/slug.ts";
import type { BuildHints, RouteHint } from "./build-hints.ts";
import { inferAddress, HEAD_BYTES, readPageHead, type PageHead } from "./page-head.ts";
import { describeRedirects } from "./configured-redirects.ts";
import type { BuiltFile, BuiltPage, BuiltSite, HtmlKind } from "./model.ts";
import { listFiles } from "./find-files.ts";
import { scanSiteFile } from "./read-file.ts";
import { isIndexFile } from "./address-book.ts";

/**
 * Reads the output of `astro build`. With an adapter that is `dist/client`, which is also found from `dist`. Symbolic
 * links are followed if they stay within the project.
 *
 * Throws `DIST_MISSING`, `DIST_UNFINISHED` for the output of a failed build, `DIST_EMPTY` if it contains no page, and
 * `PAGE_UNREADABLE`.
 */
export async function readBuiltSite(dist: string, hints: BuildHints = {}, projectRoot?: string): Promise<BuiltSite> {
  const root = findBuiltRoot(dist);
  const { files: paths, leftOut: links } = listFiles(root, { within: projectRoot ?? dist });
  const html = paths.filter((path) => /\.html$/i.test(path));
  const routes = routesOf(html);
  const assetsDir = hints.assetsDir?.replace(/^\/|\/$/g, "") || "_astro";
  const heads = await readHeads(root, html, assetsDir);
  const listed = new Map(
    (hints.routes ?? []).toReversed().flatMap((route) => route.files.map((file) => [file, route] as const)),
  );
  const written = html.map((file) => describePage(file, { routes, heads, hints, listed }));
  const pages = [...written, ...describeRedirects(hints, new Set(routes.values()))].toSorted(
    (one, other) => compare(one.route, other.route) || compare(one.file, other.file),
  );
  if (!pages.some((page) => isPublished(page))) {
    throw new ImprintError("DIST_EMPTY", `${root} contains no HTML pages.`);
  }
  const files = new Map(paths.filter((path) => !heads.has(path)).map((path) => [path, readFile(root, path)] as const));
  const { origin, base } = inferAddress(pages, { heads, hints, assetsDir });
  const onDemand = (hints.routes ?? []).filter((route) => route.isOnDemand === true);
  const isWithoutSlashes = hints.trailingSlash === "never";
  return { root, origin, base, assetsDir, isWithoutSlashes, onDemand, pages, files, links };
}

/** Whether an HTML file is published as a page of the site. */
export function isPublished(page: BuiltPage): boolean {
  return page.kind === "page" || page.kind === "fallback" || page.kind === "public";
}

/** Whether an HTML file is what the site shows for addresses that it doesn't have. */
export function isNotFoundPage({ kind, route }: BuiltPage): boolean {
  return kind === "status" && route.endsWith("/404/");
}

/** Finds the folder with the pages in the output of `astro build`. Throws `DIST_MISSING` and `DIST_UNFINISHED`. */
export function findBuiltRoot(folder: string): string {
  const dist = resolve(folder);
  const entries = listFolder(dist);
  if (entries === undefined) throw new ImprintError("DIST_MISSING", `${dist} is not a folder.`);
  const client = join(dist, "client");
  const root = entries.includes("server") && listFolder(client) !== undefined ? client : dist;
  for (const folder of new Set([dist, root])) {
    if (listFolder(join(folder, ".prerender")) === undefined) continue;
    throw new ImprintError("DIST_UNFINISHED", `${folder} still contains .prerender, which a finished build removes.`);
  }
  return root;
}

function listFolder(path: string): readonly string[] | undefined {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true ? readdirSync(path) : undefined;
}

function readFile(root: string, path: string): BuiltFile {
  const { bytes, hash } = scanSiteFile(root, path, { startBytes: 0 });
  return { bytes, hash };
}

interface ReadHead extends PageHead {
  readonly hash: string;
}

// Number of pages after which the event loop handles service responses and process signals.
const PAGES_IN_A_ROW = 25;

async function readHeads(
  root: string,
  html: readonly string[],
  assetsDir: string,
): Promise<ReadonlyMap<string, ReadHead>> {
  const heads = new Map<string, ReadHead>();
  for (const [done, file] of html.entries()) {
    if (done % PAGES_IN_A_ROW === 0) await nextTurn();
    const { hash, start } = scanSiteFile(root, file, { startBytes: HEAD_BYTES });
    heads.set(file, { ...(await readPageHead(start, assetsDir)), hash });
  }
  return heads;
}

function describePage(
  file: string,
  known: {
    readonly routes: ReadonlyMap<string, string>;
    readonly heads: ReadonlyMap<string, ReadHead>;
    readonly hints: BuildHints;
    /** Route hints by file. */
    readonly listed: ReadonlyMap<string, RouteHint>;
  },
): BuiltPage {
  const route = known.routes.get(file) ?? "/";
  const head = known.heads.get(file);
  const { hash = "", redirect } = head ?? {};
  const hint = known.listed.get(file);
  const kind = classifyHtml({ route, head, hint }, known.hints);
  const { template, redirectStatus } = hint ?? {};
  const page = { route, file, hash, kind, ...(template === undefined ? {} : { template }) };
  if (kind !== "redirect" || redirect === undefined) return page;
  const status = redirectStatus ?? redirect.status;
  return { ...page, redirectTo: redirect.address, ...(status === 301 ? {} : { redirectStatus: status }) };
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

interface HtmlFile {
  readonly route: string;
  readonly head: PageHead | undefined;
  readonly hint: RouteHint | undefined;
}

/**
 * Determines why an HTML file is in the built site, from what Astro reported about its routes or from the file alone.
 */
function classifyHtml({ route, head, hint }: HtmlFile, hints: BuildHints): HtmlKind {
  const routeHint = hint ?? findFallback(route, hints.routes ?? []);
  if (routeHint?.type === "endpoint") return "endpoint";
  if (head?.redirect !== undefined) return "redirect";
  if (isStatusRoute(route, hints.locales)) return "status";
  if (head?.isDocument !== true) return "partial";
  if (routeHint?.type === "fallback") return "fallback";
  return hints.routes !== undefined && routeHint === undefined ? "public" : "page";
}

// Astro lists no files for fallback routes, only their address pattern.
function findFallback(route: string, routes: readonly RouteHint[]): RouteHint | undefined {
  return routes.find(({ type, regex }) => type === "fallback" && regex !== undefined && matchesRoute(regex, route));
}

function matchesRoute(regex: string, route: string): boolean {
  const pattern = new RegExp(regex);
  return pattern.test(route) || pattern.test(route.replace(/\/$/, ""));
}

function isStatusRoute(route: string, locales: readonly string[] | undefined): boolean {
  const [, folder] = /^(?:\/(.+))?\/(?:404|500)\/$/.exec(route) ?? ["", ""];
  if (folder === "") return false;
  if (folder === undefined) return true;
  return locales?.includes(folder) ?? /^[a-z]{2,3}(?:-[a-z0-9]{2,8})*$/i.test(folder);
}

/**
 * Returns the route of every HTML file: `/blog/first/` for `blog/first/index.html` and for `blog/first.html`. If both
 * exist, the second keeps its extension as `/blog/first.html/`, so that routes are unique.
 */
function routesOf(files: readonly string[]): ReadonlyMap<string, string> {
  const routes = new Map<string, string>();
  const taken = new Set<string>();
  const others = files.filter((file) => !isIndexFile(file));
  for (const file of others.length === 0 ? files : [...files.filter(isIndexFile), ...others]) {
    let route = routeOf(file);
    if (taken.has(route)) {
      route = [`/${file}/`.normalize("NFC"), `/${file}/`].find((name) => !taken.has(name)) ?? file;
    }
    taken.add(route);
    routes.set(file, route);
  }
  return routes;
}

function routeOf(file: string): string {
  return normalizeRoute(isIndexFile(file) ? file.slice(0, -"index.html".length) : file.replace(/\.html$/i, ""));
}

import { readdirSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { ImprintError } from "../base/error.ts";
import type { BuildHints } from "./build-hints.ts";
import { classifyHtml } from "./classify-html.ts";
import { findFiles } from "./find-files.ts";
import { inferAddress } from "./infer-address.ts";
import type { BuiltFile, BuiltPage, BuiltSite } from "./model.ts";
import { HEAD_BYTES, readPageHead, type PageHead } from "./page-head.ts";
import { scanSiteFile } from "./read-file.ts";
import { routesOf } from "./routes.ts";

/**
 * Reads what `astro build` left in a folder. With an adapter that is `dist/client`, which is found from `dist` too.
 * Symbolic links are not followed and nothing outside the folder is read.
 *
 * Throws `DIST_MISSING`, `DIST_UNFINISHED` for a folder that a failed build left behind, `DIST_EMPTY` when no page is
 * in it, and `PAGE_UNREADABLE`.
 */
export async function readBuiltSite(dist: string, hints: BuildHints = {}): Promise<BuiltSite> {
  const root = findRoot(resolve(dist));
  const paths = findFiles(root, "**");
  const html = paths.filter((path) => /\.html$/i.test(path));
  const routes = routesOf(html);
  const assetsDir = hints.assetsDir?.replace(/^\/|\/$/g, "") || "_astro";
  const heads = await readHeads(root, html, { assetsDir });
  const pages = html
    .map((file) => describePage(file, { routes, heads, hints }))
    .toSorted((one, other) => compare(one.route, other.route) || compare(one.file, other.file));
  if (!pages.some((page) => isPublished(page))) {
    throw new ImprintError("DIST_EMPTY", `${root} holds no HTML page.`);
  }
  const files = new Map(paths.filter((path) => !heads.has(path)).map((path) => [path, readFile(root, path)] as const));
  const { origin, base } = inferAddress(pages, { heads, hints, assetsDir });
  const onDemand = (hints.routes ?? []).filter((route) => route.isOnDemand === true).map((route) => route.pattern);
  return { root, origin, base, assetsDir, onDemand, pages, files };
}

/** Whether an HTML file is published as a page. */
export function isPublished(page: BuiltPage): boolean {
  return page.kind === "page" || page.kind === "fallback" || page.kind === "public";
}

function findRoot(dist: string): string {
  const entries = listFolder(dist);
  if (entries === undefined) throw new ImprintError("DIST_MISSING", `${dist} is not a folder.`);
  const client = join(dist, "client");
  const root = entries.includes("server") && listFolder(client) !== undefined ? client : dist;
  for (const folder of new Set([dist, root])) {
    if (listFolder(join(folder, ".prerender")) === undefined) continue;
    throw new ImprintError("DIST_UNFINISHED", `${folder} still holds .prerender, which a finished build removes.`);
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

async function readHeads(
  root: string,
  html: readonly string[],
  { assetsDir }: { readonly assetsDir: string },
): Promise<ReadonlyMap<string, ReadHead>> {
  const heads = new Map<string, ReadHead>();
  for (const file of html) {
    const { hash, start } = scanSiteFile(root, file, { startBytes: HEAD_BYTES });
    const head = readPageHead(start, { assetsDir });
    // The parser is loaded for the few pages that need it here, and not at all when nothing changed.
    const redirectTo = head.mayRedirect ? (await import("./find-redirect.ts")).findRedirect(start) : undefined;
    heads.set(file, { ...head, hash, redirectTo });
  }
  return heads;
}

function describePage(
  file: string,
  known: {
    readonly routes: ReadonlyMap<string, string>;
    readonly heads: ReadonlyMap<string, ReadHead>;
    readonly hints: BuildHints;
  },
): BuiltPage {
  const route = known.routes.get(file) ?? "/";
  const head = known.heads.get(file);
  const { hash = "", redirectTo } = head ?? {};
  const kind = classifyHtml({ file, route, head }, known.hints);
  const template = known.hints.routes?.find(({ files }) => files.includes(file))?.template;
  const page = { route, file, hash, kind, ...(template === undefined ? {} : { template }) };
  return kind === "redirect" && redirectTo !== undefined ? { ...page, redirectTo } : page;
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

// Prints how wide the house is: sizes, import chains, rooms that import each other, the files that run for one request and
// the files that spell one field of a record. `npm run house [--json | --details]`
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { filesRun } from "./house/files-run.ts";

const REPOSITORY = fileURLToPath(new URL("..", import.meta.url));
const SMALL_LINES = 25;

/** One field of each record, by its name in the contract: of a post, a site, an asset, a page, a blog, a submission. */
const FIELDS = ["canonicalUrl", "homeSlug", "altText", "publicUrl", "coverImage", "submittedAt"] as const;

interface SourceFile {
  /** Path relative to the repository. */
  readonly path: string;
  readonly text: string;
  readonly lines: number;
  /** Paths of the files that it imports by value, when it is loaded. */
  readonly imports: readonly string[];
}

function trackedFiles(): readonly string[] {
  return execFileSync("git", ["ls-files", "-z"], { cwd: REPOSITORY, encoding: "utf8" }).split("\0").filter(Boolean);
}

function readSources(paths: readonly string[]): readonly SourceFile[] {
  const sources = paths.filter((path) => /^src\/.*\.tsx?$/.test(path));
  return sources.map((path) => {
    const text = readFileSync(join(REPOSITORY, path), "utf8");
    return { path, text, lines: text.split("\n").length - 1, imports: importsOf(path, text) };
  });
}

// The formatter writes every import in one of two shapes, so that no parser is needed.
const IMPORT = /^(?:import|export)\s+(type\s+)?((?:[^;"]|\n)*?)\s*from\s+"(\.[^"]+)";$|^import "(\.[^"]+)";$/gm;

function importsOf(path: string, text: string): readonly string[] {
  return [...text.matchAll(IMPORT)].flatMap(([, typeOnly, names = "", from, bare]) => {
    const target = from ?? bare;
    if (typeOnly !== undefined || target === undefined || isTypesOnly(names)) return [];
    return [relative(REPOSITORY, resolve(REPOSITORY, dirname(path), target))];
  });
}

function isTypesOnly(names: string): boolean {
  const [, list] = /^\{(.*)\}$/s.exec(names.trim()) ?? [];
  const parts = list?.split(",").flatMap((part) => (part.trim() === "" ? [] : [part.trim()]));
  return parts?.every((part) => part.startsWith("type ")) === true;
}

/** The longest chain of imports, as paths. */
function longestChain(files: readonly SourceFile[]): readonly string[] {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const known = new Map<string, readonly string[]>();
  function chainFrom(path: string, above: ReadonlySet<string>): readonly string[] {
    const found = known.get(path);
    if (found !== undefined) return found;
    const inner = new Set([...above, path]);
    const chains = (byPath.get(path)?.imports ?? []).filter((next) => byPath.has(next) && !inner.has(next));
    const longest = chains.map((next) => chainFrom(next, inner)).toSorted((one, other) => other.length - one.length)[0];
    const chain = [path, ...(longest ?? [])];
    known.set(path, chain);
    return chain;
  }
  return (
    files.map(({ path }) => chainFrom(path, new Set())).toSorted((one, other) => other.length - one.length)[0] ?? []
  );
}

/** Pairs of folders of one folder that import each other by value, at every depth. */
function mutualPairs(files: readonly SourceFile[]): readonly string[] {
  const arrows = new Set(
    files.flatMap(({ path, imports }) => imports.flatMap((target) => arrowBetween(path, target) ?? [])),
  );
  return [...arrows].filter((arrow) => {
    const [from = "", to = ""] = arrow.split(" → ");
    return from < to && arrows.has(`${to} → ${from}`);
  });
}

/** Where two paths part: `src/service/http → src/service/store`; `undefined` for files of one folder. */
function arrowBetween(path: string, target: string): string | undefined {
  const [from, to] = [path.split("/"), target.split("/")];
  const place = from.findIndex((part, index) => part !== to[index]);
  if (place === -1 || place >= from.length - 1 || place >= to.length - 1) return undefined;
  return `${from.slice(0, place + 1).join("/")} → ${to.slice(0, place + 1).join("/")}`;
}

function quantile(numbers: readonly number[], share: number): number {
  return numbers.toSorted((one, other) => one - other)[Math.floor((numbers.length - 1) * share)] ?? 0;
}

const paths = trackedFiles();
const files = readSources(paths);
const lines = files.map((file) => file.lines);
const chain = longestChain(files);
const pairs = mutualPairs(files);
const run = await filesRun(REPOSITORY);
const spelled = FIELDS.map((field) => {
  const count = files.filter(({ text }) => new RegExp(`\\b${field}\\b`).test(text)).length;
  return { field, count };
});

const rows: readonly (readonly [string, string, string])[] = [
  ["source files", String(files.length), ""],
  ["lines", String(lines.reduce((sum, count) => sum + count, 0)), "≤ 55000"],
  ["lines a file: median / p90 / max", [0.5, 0.9, 1].map((share) => quantile(lines, share)).join(" / "), ""],
  [`files under ${SMALL_LINES} lines`, String(lines.filter((count) => count < SMALL_LINES).length), "< 80"],
  ["import depth (longest chain)", String(chain.length), "≤ 12"],
  ["rooms that import each other by value", String(pairs.length), "0"],
  ["our files that run for PUT / GET / beacon", `${run.put} / ${run.get} / ${run.beacon}`, "≤ 30 / 15 / 18"],
  ...spelled.map(({ field, count }) => [`files that spell ${field}`, String(count), "≤ 9"] as const),
  ["tracked entries at the top level", String(new Set(paths.map((path) => path.split("/")[0])).size), "≤ 15"],
];

if (process.argv.includes("--json")) {
  console.log(JSON.stringify({ rows, chain, pairs }, undefined, 2));
} else {
  for (const [name, value, goal] of rows) console.log(`${name.padEnd(46)}${value.padStart(16)}   ${goal}`);
  if (process.argv.includes("--details")) console.log(`\n${chain.join("\n  ")}\n\n${pairs.join("\n")}`);
}

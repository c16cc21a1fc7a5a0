import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";

export const REPOSITORY = fileURLToPath(new URL("../..", import.meta.url));

/** One import statement of a file. */
export interface Import {
  /** A path relative to the repository, or the name of a package: `src/base/hash.ts`, `node:fs`. */
  readonly from: string;
  /** False for type imports, which don't exist at run time. */
  readonly isValue: boolean;
}

export interface SourceFile {
  /** Path relative to the repository. */
  readonly path: string;
  readonly text: string;
  readonly lines: number;
  /** Static imports, without `await import()`. */
  readonly imports: readonly Import[];
}

/** Returns the paths of all files tracked by Git, relative to the repository. */
export function trackedFiles(): readonly string[] {
  const listed = execFileSync("git", ["ls-files", "-z"], { cwd: REPOSITORY, encoding: "utf8" });
  return listed.split("\0").filter(Boolean);
}

/** Reads the TypeScript files of `src/`. */
export function readSources(): readonly SourceFile[] {
  const sources = trackedFiles().filter((path) => /^src\/.*\.tsx?$/.test(path));
  return sources.map((path) => {
    const text = readFileSync(join(REPOSITORY, path), "utf8");
    return { path, text, lines: text.split("\n").length - 1, imports: importsOf(path, text) };
  });
}

// The formatter writes every import in one of two forms, so no parser is needed.
const IMPORT = /^(?:import|export)\s+(type\s+)?([^;"]*?)\s*from\s+"([^"]+)";$|^import "([^"]+)";$/gm;

function importsOf(path: string, text: string): readonly Import[] {
  return [...text.matchAll(IMPORT)].map(([, typeOnly, names = "", named, bare = ""]) => {
    const target = named ?? bare;
    const from = target.startsWith(".") ? relative(REPOSITORY, resolve(REPOSITORY, dirname(path), target)) : target;
    return { from, isValue: typeOnly === undefined && !isTypesOnly(names) };
  });
}

function isTypesOnly(names: string): boolean {
  const [, list] = /^\{(.*)\}$/s.exec(names.trim()) ?? [];
  const parts = list?.split(",").flatMap((part) => (part.trim() === "" ? [] : [part.trim()]));
  return parts?.every((part) => part.startsWith("type ")) === true;
}

/** Returns the longest chain of value imports, as paths. */
export function longestChain(files: readonly SourceFile[]): readonly string[] {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const known = new Map<string, readonly string[]>();
  function chainFrom(path: string, above: ReadonlySet<string>): readonly string[] {
    const found = known.get(path);
    if (found !== undefined) return found;
    const inner = new Set([...above, path]);
    const next = valueImports(byPath.get(path)).filter((from) => byPath.has(from) && !inner.has(from));
    const chain = [path, ...longest(next.map((from) => chainFrom(from, inner)))];
    known.set(path, chain);
    return chain;
  }
  return longest(files.map(({ path }) => chainFrom(path, new Set())));
}

function longest(chains: readonly (readonly string[])[]): readonly string[] {
  return chains.toSorted((one, other) => other.length - one.length)[0] ?? [];
}

function valueImports(file: SourceFile | undefined): readonly string[] {
  return file?.imports.flatMap(({ from, isValue }) => (isValue ? [from] : [])) ?? [];
}

/** Returns pairs of sibling folders that import values from each other, at every depth: `src/a → src/b`. */
export function mutualPairs(files: readonly SourceFile[]): readonly string[] {
  const arrows = new Set(
    files.flatMap((file) => valueImports(file).flatMap((target) => arrowBetween(file.path, target) ?? [])),
  );
  return [...arrows].filter((arrow) => {
    const [from = "", to = ""] = arrow.split(" → ");
    return from < to && arrows.has(`${to} → ${from}`);
  });
}

/** Returns where two paths diverge: `src/service/http → src/service/store`; `undefined` for files of one folder. */
function arrowBetween(path: string, target: string): string | undefined {
  if (!target.startsWith("src/")) return undefined;
  const [from, to] = [path.split("/"), target.split("/")];
  const place = from.findIndex((part, index) => part !== to[index]);
  if (place === -1 || place >= from.length - 1 || place >= to.length - 1) return undefined;
  return `${from.slice(0, place + 1).join("/")} → ${to.slice(0, place + 1).join("/")}`;
}

/** Returns the files that contain the name of a record's field. */
export function filesThatSpell(files: readonly SourceFile[], field: string): readonly string[] {
  const spelled = new RegExp(`\\b${field}\\b`);
  return files.flatMap(({ path, text }) => (spelled.test(text) ? [path] : []));
}

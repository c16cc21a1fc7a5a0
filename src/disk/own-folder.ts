import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { systemCodeOf } from "../base/error.ts";

const OWN_NAME = ".imprint";

export interface OwnFolderOptions {
  /** The folder that ignores itself. Default: the `.imprint` that the folder is, or lies in. */
  readonly root?: string;
  /** Who may read what is created. Default: what the system gives everybody. */
  readonly mode?: number;
}

/**
 * Creates a folder for files of ours, with those above it, and lets git ignore all of it: what we remember and the data
 * of the embedded service never belong into a commit. A `.gitignore` that exists is left alone, and none is written into
 * a folder that was there with other things in it. Throws what the file system throws.
 */
export function makeOwnFolder(folder: string, options: OwnFolderOptions = {}): void {
  const root = findOwnRoot(folder) ?? options.root;
  if (root !== undefined && isFile(root)) {
    throw new Error(`${root} is a file. Delete or rename it: imprint needs a folder of that name.`);
  }
  const isOurs = root !== undefined && (basename(root) === OWN_NAME || isAbsentOrEmpty(root));
  mkdirSync(folder, { recursive: true, ...(options.mode !== undefined && { mode: options.mode }) });
  if (isOurs) ignoreItself(join(root, ".gitignore"));
}

/** The `.imprint` that a folder is, or lies in; the innermost, should there be several. */
function findOwnRoot(folder: string): string | undefined {
  for (let each = folder; each !== dirname(each); each = dirname(each)) {
    if (basename(each) === OWN_NAME) return each;
  }
  return undefined;
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

function isAbsentOrEmpty(folder: string): boolean {
  return !existsSync(folder) || readdirSync(folder).length === 0;
}

function ignoreItself(file: string): void {
  if (existsSync(file)) return;
  try {
    writeFileSync(file, "*\n", { flag: "wx" });
  } catch (error) {
    // Of two who create it one comes first. Half a file would ignore nothing for good.
    if (systemCodeOf(error) === "EEXIST") return;
    rmSync(file, { force: true });
    throw error;
  }
}

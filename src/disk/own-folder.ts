import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { systemCodeOf } from "../base/error.ts";

const OWN_NAME = ".imprint";

export interface OwnFolderOptions {
  /** The folder to hide from git. Default: the `.imprint` that the folder is or is in. */
  readonly root?: string;
  /** Permissions of created folders. Default: the system's. */
  readonly mode?: number;
}

/**
 * Creates a folder for our own files, with its parents, and makes git ignore all of it, as our state and the embedded
 * service's data never belong in a commit. Keeps an existing `.gitignore`, and writes none to a folder that already
 * contained other files. Throws file system errors.
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

/** Finds the `.imprint` that a folder is or is in; the innermost if there are several. */
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
    // Another process may have created it first. A partial file must not stay, as it would never ignore anything.
    if (systemCodeOf(error) === "EEXIST") return;
    rmSync(file, { force: true });
    throw error;
  }
}

import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** The package manager that a project is installed with. */
export interface PackageManager {
  readonly name: PackageManagerName;
  /** The version that `packageManager` of a package.json requests, such as `9.15.0`; `undefined` if none does. */
  readonly version: string | undefined;
  /** The folder to install in: the project's, or one above it that has the lock file of a workspace. */
  readonly folder: string;
  /** Content of the lock file; `undefined` if there is none yet. */
  readonly lock: string | undefined;
  readonly lockFile: string;
}

export type PackageManagerName = "npm" | "pnpm" | "yarn" | "bun";

const LOCK_FILES = {
  "package-lock.json": "npm",
  "pnpm-lock.yaml": "pnpm",
  "yarn.lock": "yarn",
  "bun.lock": "bun",
  "bun.lockb": "bun",
} as const satisfies Record<string, PackageManagerName>;

const RUN_COMMANDS: Readonly<Record<PackageManagerName, string>> = {
  npm: "npx",
  pnpm: "pnpm exec",
  yarn: "yarn",
  bun: "bunx",
};

/** Returns the command that runs a program of a project's packages, such as `npx`. */
export function findRunCommand(projectRoot: string): string {
  return RUN_COMMANDS[findPackageManager(projectRoot).name];
}

/** Finds a project's package manager by `packageManager` and lock files, up to the root of its repository. */
export function findPackageManager(projectRoot: string): PackageManager {
  const folders = foldersOfRepository(projectRoot);
  const request = folders.map((folder) => readRequest(folder)).find((found) => found !== undefined);
  const locks = folders.flatMap((folder) => {
    return Object.entries(LOCK_FILES)
      .filter(([file, name]) => existsSync(join(folder, file)) && (request === undefined || request.name === name))
      .map(([file, name]) => ({ folder, file, name }));
  });
  const [lock] = locks;
  const name = request?.name ?? lock?.name ?? "npm";
  const own = Object.entries(LOCK_FILES).find((entry) => entry[1] === name);
  return {
    name,
    version: request?.version,
    folder: lock?.folder ?? request?.folder ?? projectRoot,
    lock: lock && readFileSync(join(lock.folder, lock.file), "utf8"),
    lockFile: lock?.file ?? own?.[0] ?? "package-lock.json",
  };
}

/** Returns a folder and those above it. */
export function foldersAbove(folder: string): readonly string[] {
  return dirname(folder) === folder ? [folder] : [folder, ...foldersAbove(dirname(folder))];
}

function foldersOfRepository(projectRoot: string): readonly string[] {
  const folders = foldersAbove(projectRoot);
  const top = folders.findIndex((folder) => existsSync(join(folder, ".git")));
  return top === -1 ? folders : folders.slice(0, top + 1);
}

interface Request {
  readonly name: PackageManagerName;
  readonly version: string;
  readonly folder: string;
}

function readRequest(folder: string): Request | undefined {
  const file = join(folder, "package.json");
  if (!existsSync(file)) return undefined;
  // Not parsed, as a package.json of a folder above needn't be valid.
  const [, name, version = ""] =
    /"packageManager"\s*:\s*"(npm|pnpm|yarn|bun)@([^"+]*)/.exec(readFileSync(file, "utf8")) ?? [];
  return isName(name) ? { name, version, folder } : undefined;
}

function isName(name: string | undefined): name is PackageManagerName {
  return name !== undefined && Object.hasOwn(RUN_COMMANDS, name);
}

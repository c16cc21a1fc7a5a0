import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { ImprintError } from "../base/error.ts";
import { VERSION } from "../base/version.ts";
import { isAnswerable } from "./own-program.ts";
import { findPackageManager, foldersAbove, type PackageManagerName } from "./package-manager.ts";

const NAME = "astro-imprint-service";
const OWN_NAME = "astro-imprint";

/**
 * Loads the service, which is a separate package.
 *
 * @throws ImprintError `SERVICE_MISSING` if the project doesn't have it in the same version
 */
export async function loadService(projectRoot: string): Promise<typeof import("../service.ts")> {
  return await import(await findService(projectRoot));
}

/**
 * Returns the address of the service's module for `loadService`; on a terminal, offers to install a missing package.
 */
export async function findService(projectRoot: string): Promise<string> {
  // When running from source, the service's sources are beside this file's.
  if (import.meta.url.endsWith(".ts")) return new URL("../service.ts", import.meta.url).href;
  const command = installCommand(projectRoot, [NAME]);
  let found = resolveService(projectRoot);
  if (found?.version !== VERSION && (await offerToInstall(command, projectRoot))) found = resolveService(projectRoot);
  if (found?.version === VERSION) return found.url;
  const message =
    found === undefined
      ? "The embedded service is a separate package, which this project doesn't have."
      : `This is astro-imprint ${VERSION}, but the project has ${NAME} ${found.version}.`;
  throw new ImprintError("SERVICE_MISSING", message, { hint: `Run \`${command}\` in the project.` });
}

/** Installs what a project is missing: this package, and that of the service if it is embedded. */
export async function installMissing(projectRoot: string, isEmbedded: boolean): Promise<void> {
  if (import.meta.url.endsWith(".ts")) return;
  const missing = [
    ...(hasPackage(projectRoot, OWN_NAME) ? [] : [OWN_NAME]),
    ...(isEmbedded && resolveService(projectRoot)?.version !== VERSION ? [NAME] : []),
  ];
  if (missing.length === 0 || (await install(installCommand(projectRoot, missing), projectRoot))) return;
  throw new ImprintError("SERVICE_MISSING", `${missing.join(" and ")} could not be installed.`, {
    hint: `Run \`${installCommand(projectRoot, missing)}\` in the project.`,
  });
}

function hasPackage(projectRoot: string, name: string): boolean {
  return foldersAbove(projectRoot).some((folder) => existsSync(join(folder, "node_modules", name, "package.json")));
}

interface FoundService {
  readonly version: string;
  readonly url: string;
}

// Looks where the project would find it, then where this package would. Not with `require.resolve`, as Node caches that
// a package is missing, even after it was installed. Only Yarn's own resolver finds packages without folders.
function resolveService(projectRoot: string): FoundService | undefined {
  for (const start of [projectRoot, import.meta.dirname]) {
    const places = foldersAbove(start).map((folder) => join(folder, "node_modules", NAME, "package.json"));
    const file = process.versions["pnp"] === undefined ? places.find((place) => existsSync(place)) : resolvePlug(start);
    if (file === undefined) continue;
    const { version }: { version: string } = JSON.parse(readFileSync(file, "utf8"));
    return { version, url: pathToFileURL(join(dirname(file), "dist/index.js")).href };
  }
  return undefined;
}

function resolvePlug(start: string): string | undefined {
  try {
    return createRequire(join(start, "package.json")).resolve(`${NAME}/package.json`);
  } catch {
    return undefined;
  }
}

const ADD_COMMANDS: Readonly<Record<PackageManagerName, string>> = {
  npm: "npm install --save-dev",
  pnpm: "pnpm add --save-dev",
  yarn: "yarn add --dev",
  bun: "bun add --dev",
};

/** Returns the command that installs packages with the project's package manager. */
function installCommand(projectRoot: string, names: readonly string[]): string {
  const { name } = findPackageManager(projectRoot);
  return `${ADD_COMMANDS[name]} ${names.map((added) => `${added}@${VERSION}`).join(" ")}`;
}

/** Returns whether it was installed. */
async function offerToInstall(command: string, projectRoot: string): Promise<boolean> {
  // Standard output is for other programs.
  if (!isAnswerable(process.stderr)) return false;
  const { confirm } = await import("@clack/prompts");
  const message = `The embedded service is a separate package. Install it with \`${command}\`?`;
  if ((await confirm({ message, output: process.stderr })) !== true) return false;
  return install(command, projectRoot);
}

/** Returns whether it was installed. */
async function install(command: string, projectRoot: string): Promise<boolean> {
  const [program = "", ...args] = command.split(" ");
  // On Windows, package managers are scripts, which need a shell.
  const shell = process.platform === "win32";
  const child = spawn(program, args, { cwd: projectRoot, stdio: ["inherit", 2, 2], shell });
  const [code] = await once(child, "exit");
  return code === 0;
}

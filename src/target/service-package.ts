import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { ImprintError } from "../base/error.ts";
import { VERSION } from "../base/version.ts";
import { isAnswerable } from "./own-program.ts";

const NAME = "astro-imprint-service";
const OWN_NAME = "astro-imprint";

/**
 * Loads the service, which is a package of its own beside this one.
 *
 * @throws ImprintError `SERVICE_MISSING` when the project doesn't have it in the version of this one
 */
export async function loadService(projectRoot: string): Promise<typeof import("../service.ts")> {
  return await import(await findService(projectRoot));
}

/** The address of the service's module, as `loadService`; at a terminal it offers to install a package that is not there. */
export async function findService(projectRoot: string): Promise<string> {
  // Beside the sources of this file stand those of the service.
  if (import.meta.url.endsWith(".ts")) return new URL("../service.ts", import.meta.url).href;
  const command = installCommand(projectRoot, [NAME]);
  let found = resolveService(projectRoot);
  if (found?.version !== VERSION && (await offerToInstall(command, projectRoot))) found = resolveService(projectRoot);
  if (found?.version === VERSION) return found.url;
  const message =
    found === undefined
      ? "The embedded service is a package of its own, and this project doesn't have it."
      : `This is astro-imprint ${VERSION}, and the project has ${NAME} ${found.version}.`;
  throw new ImprintError("SERVICE_MISSING", message, { hint: `Run \`${command}\` in the project.` });
}

/** Installs what a set-up project needs and doesn't have: this package, and that of the service where it is embedded. */
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

// Where the project would find it, or else where this package does. Not by `require.resolve`: Node remembers what was not
// there, also when it has been installed since. Only Yarn's own resolver knows places without folders.
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

function foldersAbove(folder: string): readonly string[] {
  return dirname(folder) === folder ? [folder] : [folder, ...foldersAbove(dirname(folder))];
}

const INSTALL_BY_LOCK_FILE = {
  "package-lock.json": "npm install --save-dev",
  "pnpm-lock.yaml": "pnpm add --save-dev",
  "yarn.lock": "yarn add --dev",
  "bun.lock": "bun add --dev",
  "bun.lockb": "bun add --dev",
};

/** What installs packages with the package manager of the project. */
function installCommand(projectRoot: string, names: readonly string[]): string {
  const files = foldersAbove(projectRoot).flatMap((folder) => {
    return Object.entries(INSTALL_BY_LOCK_FILE).filter(([file]) => existsSync(join(folder, file)));
  });
  const [, add] = files[0] ?? [];
  return `${add ?? INSTALL_BY_LOCK_FILE["package-lock.json"]} ${names.map((name) => `${name}@${VERSION}`).join(" ")}`;
}

/** Whether it was installed. */
async function offerToInstall(command: string, projectRoot: string): Promise<boolean> {
  // What is printed for other programs goes to the other stream.
  if (!isAnswerable(process.stderr)) return false;
  const { confirm } = await import("@clack/prompts");
  const message = `The embedded service is a package of its own. Install it with \`${command}\`?`;
  if ((await confirm({ message, output: process.stderr })) !== true) return false;
  return install(command, projectRoot);
}

/** Whether it was installed. */
async function install(command: string, projectRoot: string): Promise<boolean> {
  const [program = "", ...args] = command.split(" ");
  // On Windows package managers are scripts, which only a shell starts.
  const shell = process.platform === "win32";
  const child = spawn(program, args, { cwd: projectRoot, stdio: ["inherit", 2, 2], shell });
  const [code] = await once(child, "exit");
  return code === 0;
}

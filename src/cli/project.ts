import { existsSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { ImprintError, messageOf, systemCodeOf } from "../base/error.ts";
import { ASTRO_CONFIGS, parseOptions } from "../options/parse-options.ts";
import type { Options } from "../options/schema.ts";
import { withFoundFolder } from "../posts/read/collection-folder.ts";
import { withDefaultService, type Environment } from "../target/target.ts";
import { findLine, loadConfig } from "./load-config.ts";

export interface Project {
  readonly root: string;
  /** Absolute path of the config file that the options come from; `undefined` if there is none. */
  readonly configFile: string | undefined;
  /** Whether it has options or calls `imprint()`. */
  readonly isSetUp: boolean;
  /** Options as written, not validated. */
  readonly options: Readonly<Record<string, unknown>>;
  /** The folder that `astro build` writes. */
  readonly dist: string;
  /** `markdown` of the Astro config. */
  readonly markdown: Readonly<Record<string, unknown>> | undefined;
  readonly base: string;
}

const OWN_CONFIGS = ["imprint.config.mjs", "imprint.config.js", "imprint.config.ts"];
const OPTIONS = Symbol.for("astro-imprint.options");

/**
 * Reads the options of a project: from `imprint.config.*`, or from the `imprint()` integration in its Astro config.
 *
 * @throws ImprintError `OPTIONS_INVALID` if a config file exists but can't be loaded
 */
export async function readProject(root: string): Promise<Project> {
  const own = await loadFirst(root, OWN_CONFIGS);
  const astro = await loadFirst(root, ASTRO_CONFIGS);
  const astroConfig = asRecord(astro?.config);
  const options = own === undefined ? findIntegrationOptions(astro) : optionsIn(own, own.config);
  return {
    root,
    configFile: own?.file ?? astro?.file,
    isSetUp: options !== undefined,
    options: options ?? {},
    dist: resolve(root, distOf(astroConfig)),
    markdown: asRecord(astroConfig?.["markdown"]),
    base: baseOf(astroConfig),
  };
}

/**
 * Validates the options of a project, and of flags, which take precedence.
 *
 * @throws ImprintError `OPTIONS_INVALID`, with the config file unless a flag is invalid
 */
export function parseProjectOptions(
  { root, configFile, options }: Pick<Project, "root" | "configFile" | "options">,
  flags: Readonly<Record<string, unknown>> = {},
): Options {
  const source = configFile === undefined ? undefined : { file: relative(root, configFile), flags };
  return parseOptions({ ...options, ...flags }, source);
}

/** Finds the nearest folder above a path that looks like a project of ours. */
export function findProjectAbove(path: string): string | undefined {
  const folder = dirname(path);
  if (folder === path) return undefined;
  const isProject = [...OWN_CONFIGS, ...ASTRO_CONFIGS, "imprint.lock.json"].some((name) =>
    existsSync(join(folder, name)),
  );
  return isProject ? folder : findProjectAbove(folder);
}

/**
 * Adds the folder of the posts and the default service if the options name none. Outside a project, no service can be
 * embedded.
 */
export function optionsOf({ root, configFile }: Project, written: Options, environment: Environment): Options {
  const options = withFoundFolder(written, root);
  return configFile === undefined ? options : withDefaultService(options, environment);
}

/** Reads an Astro config: the names of its integrations, and the options of `imprint()` if it has that. */
export async function readAstroConfig(root: string, name: string) {
  const loaded = await loadFirst(root, [name]);
  const config = asRecord(loaded?.config);
  const integrations = config?.["integrations"];
  const names = Array.isArray(integrations) ? integrations.flat(Infinity).map((each) => String(Object(each).name)) : [];
  return { names, options: findIntegrationOptions(loaded) };
}

interface LoadedConfig {
  /** Absolute path. */
  readonly file: string;
  readonly name: string;
  readonly config: unknown;
}

async function loadFirst(root: string, names: readonly string[]): Promise<LoadedConfig | undefined> {
  for (const name of names) {
    const file = join(root, name);
    if (!existsSync(file)) continue;
    try {
      return { file, name, config: await loadConfig(file, root) };
    } catch (error) {
      const line = findLine(error, file);
      const location = { file: name, ...(line !== undefined && { line }) };
      throw new ImprintError("OPTIONS_INVALID", `This file can't be loaded: ${messageOf(error)}`, {
        ...{ cause: error, hint: hintOf(error, name), location },
      });
    }
  }
  return undefined;
}

function hintOf(error: unknown, name: string): string {
  if (systemCodeOf(error) === "ERR_MODULE_NOT_FOUND") {
    return "Install the project's dependencies, such as with `npm install`.";
  }
  return error instanceof SyntaxError || OWN_CONFIGS.includes(name)
    ? "Correct the file, then run the command again."
    : "Move the options to imprint.config.mjs, which is read first, or pass them as flags.";
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === "object" && value !== null ? Object.fromEntries(Object.entries(value)) : undefined;
}

/** The options that a config file contains. Throws `OPTIONS_INVALID` if they aren't an object. */
function optionsIn({ name }: LoadedConfig, written: unknown): Readonly<Record<string, unknown>> {
  const options = Array.isArray(written) ? undefined : asRecord(written);
  if (options !== undefined) return options;
  const subject = OWN_CONFIGS.includes(name) ? "The default export" : "What imprint() gets";
  throw new ImprintError("OPTIONS_INVALID", `${subject} must be an object with options.`, { location: { file: name } });
}

function findIntegrationOptions(loaded: LoadedConfig | undefined) {
  const integrations = asRecord(loaded?.config)?.["integrations"];
  if (!Array.isArray(integrations)) return undefined;
  const found = integrations
    .flat(Infinity)
    .find((entry): entry is object => typeof entry === "object" && entry !== null && OPTIONS in entry);
  return loaded && found ? optionsIn(loaded, Reflect.get(found, OPTIONS) ?? {}) : undefined;
}

function distOf(config: Readonly<Record<string, unknown>> | undefined): string {
  const outDir = config?.["outDir"];
  if (outDir instanceof URL) return fileURLToPath(outDir);
  return typeof outDir === "string" ? outDir : "dist";
}

function baseOf(config: Readonly<Record<string, unknown>> | undefined): string {
  const base = config?.["base"];
  const path = typeof base === "string" ? base.replace(/^\/+|\/+$/g, "") : "";
  return path === "" ? "/" : `/${path}/`;
}

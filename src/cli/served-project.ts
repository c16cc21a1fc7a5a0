import { placedMessageOf } from "../base/error.ts";
import type { Logger } from "../base/log.ts";
import { embeddedOptions, type Options } from "../options/schema.ts";
import { parseProjectOptions, readProject } from "./project.ts";

/** The project in whose folder a service runs. */
export interface ServedProject {
  readonly root: string;
  /** Absolute path of its config file. */
  readonly configFile: string;
  readonly options: Options;
}

/** Reads the project in a folder; `undefined` if there is none, or if its config can't be read, which is logged. */
export async function readServedProject(root: string, logger: Logger): Promise<ServedProject | undefined> {
  try {
    const { configFile, ...project } = await readProject(root);
    if (configFile === undefined) return undefined;
    const options = { posts: {}, ...project.options };
    return { root, configFile, options: parseProjectOptions({ root, configFile, options }) };
  } catch (error) {
    // A service also runs without the project.
    logger.warn(`The service runs without the options and the posts of this project: ${placedMessageOf(error)}`);
    return undefined;
  }
}

const DEFAULTS = embeddedOptions.parse({}, { jitless: true });

/** Returns the ports and the data folder of a project's embedded service, and the config file that sets them, if any. */
export function embeddedOf(project: ServedProject | undefined) {
  const service = project?.options.service;
  return typeof service === "object" ? { ...service, setIn: project?.configFile } : { ...DEFAULTS, setIn: undefined };
}

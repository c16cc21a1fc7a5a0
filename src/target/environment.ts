import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { isCi } from "../base/ci.ts";
import { ImprintError, messageOf, systemCodeOf } from "../base/error.ts";
import type { Environment } from "./target.ts";

// In the order of Vite, and so of Astro: later files take precedence, and the process's own environment over all.
const FILES = [".env", ".env.local", ".env.production", ".env.production.local"];

/** Reads imprint's variables from the process and the project's `.env` files, in the same way as `astro build`. */
export async function readEnvironment(projectRoot: string, own: NodeJS.ProcessEnv): Promise<Environment> {
  const files = await Promise.all(FILES.map((name) => readEnvFile(join(projectRoot, name))));
  const all: Environment = Object.assign({}, ...files, own);
  const { IMPRINT_API_KEY, IMPRINT_SERVICE, IMPRINT_PREVIEW, IMPRINT_BRANCH } = all;
  // A secret that was pasted into the settings of a CI often ends with a line break.
  const variables = {
    IMPRINT_API_KEY: IMPRINT_API_KEY?.trim(),
    IMPRINT_SERVICE: IMPRINT_SERVICE?.trim(),
    IMPRINT_PREVIEW: IMPRINT_PREVIEW?.trim(),
    IMPRINT_BRANCH: IMPRINT_BRANCH?.trim(),
  };
  // A project's files must not decide where a user's logins are stored.
  return { ...variables, loginFile: findLoginFile(own), isCi: isCi(own) };
}

async function readEnvFile(file: string): Promise<Environment> {
  try {
    // Editors on Windows begin files with a byte order mark.
    return parseEnv((await readFile(file, "utf8")).replace(/^\uFEFF/, ""));
  } catch (error) {
    if (systemCodeOf(error) === "ENOENT") return {};
    throw new ImprintError("STATE_UNREADABLE", `${file} can't be read: ${messageOf(error)}`, { cause: error });
  }
}

/** Variables for the location of a user's configuration. */
interface ConfigEnvironment {
  readonly XDG_CONFIG_HOME?: string | undefined;
  readonly APPDATA?: string | undefined;
  readonly HOME?: string | undefined;
}

/** Returns the file of a user's logins; `undefined` if the environment specifies no folder for it. */
function findLoginFile({ XDG_CONFIG_HOME, APPDATA, HOME }: ConfigEnvironment): string | undefined {
  const folder = [XDG_CONFIG_HOME, APPDATA, HOME === undefined || HOME === "" ? undefined : join(HOME, ".config")];
  const found = folder.find((each) => each !== undefined && each !== "");
  return found === undefined ? undefined : join(found, "imprint", "logins.json");
}

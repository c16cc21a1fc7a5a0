import { join } from "node:path";

/** The variables that say where a person's configuration is kept. */
export interface ConfigEnvironment {
  readonly XDG_CONFIG_HOME?: string | undefined;
  readonly APPDATA?: string | undefined;
  readonly HOME?: string | undefined;
}

/** The file that holds a person's logins; `undefined` where the environment tells of no place for it. */
export function findLoginFile({ XDG_CONFIG_HOME, APPDATA, HOME }: ConfigEnvironment): string | undefined {
  const folder = [XDG_CONFIG_HOME, APPDATA, HOME === undefined || HOME === "" ? undefined : join(HOME, ".config")];
  const found = folder.find((each) => each !== undefined && each !== "");
  return found === undefined ? undefined : join(found, "imprint", "logins.json");
}

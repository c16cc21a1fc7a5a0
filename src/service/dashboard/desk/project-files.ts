import type { ProjectFiles } from "../../../contract/project-files.ts";
import { found } from "../../resources/fields.ts";
import type { DashboardContext } from "../context.ts";

export const SECTION = "/files";
/** Route of one file; its parameter is the path below the folder of the posts, encoded. */
export const FILE = `${SECTION}/:file`;

/** The posts of the project; there is no such page where the service has none. */
export function filesOf({ var: { core } }: DashboardContext): ProjectFiles {
  return found(core.settings.projectFiles, "page_not_found");
}

export function pathOf(file: string): string {
  return `${SECTION}/${encodeURIComponent(file)}`;
}

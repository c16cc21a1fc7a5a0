import type { ProjectFile, ProjectFiles } from "../../../contract/project-files.ts";
import { ProblemError } from "../../http/problem.ts";
import { found } from "../../resources/fields.ts";
import { paramOf, type DashboardContext } from "../context.ts";

export const SECTION = "/files";
/** Route of one file; its parameter is the path below the folder of the posts, encoded. */
export const FILE = `${SECTION}/:file`;

/** The posts of the project; there is no such page where the service has none. */
export function filesOf({ var: { core } }: DashboardContext): ProjectFiles {
  return found(core.settings.projectFiles, "page_not_found");
}

/** Names what is written of a file, and kept. */
export function subjectOf({ folder }: ProjectFiles, file: string): string {
  return `file:${folder}/${file}`;
}

export function pathOf(file: string): string {
  return `${SECTION}/${encodeURIComponent(file)}`;
}

/** The file of the route. */
export async function readFile(context: DashboardContext): Promise<ProjectFile> {
  const name = paramOf(context, "file");
  const file = found(await filesOf(context).read(name), "post_not_found");
  if (typeof file === "string") throw new ProblemError("invalid_body", { detail: `${name}: ${file}` });
  return file;
}

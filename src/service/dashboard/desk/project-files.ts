import type { ProjectFile, ProjectFiles } from "../../../contract/project-files.ts";
import { ProblemError } from "../../http/problem.ts";
import { found } from "../../resources/fields.ts";
import { paramOf, type DashboardContext } from "../context.ts";

export const SECTION = "/files";
/** The page that creates a file. */
export const NEW_FILE = `${SECTION}/new`;
/** Route of a file; its parameter is the encoded path relative to the posts folder. */
export const FILE = `${SECTION}/:file`;

/** Returns the project's posts. Throws `page_not_found` if the service has none. */
export function filesOf({ var: { core } }: DashboardContext): ProjectFiles {
  return found(core.settings.projectFiles, "page_not_found");
}

/** Returns the subject of a file's working copies and versions. */
export function subjectOf({ folder }: ProjectFiles, file: string): string {
  return `file:${folder}/${file}`;
}

export function pathOf(file: string): string {
  return `${SECTION}/${encodeURIComponent(file)}`;
}

export async function readFile(context: DashboardContext): Promise<ProjectFile> {
  const name = paramOf(context, "file");
  const file = found(await filesOf(context).read(name), "post_not_found");
  if (typeof file === "string") throw new ProblemError("invalid_body", { detail: `${name}: ${file}` });
  return file;
}

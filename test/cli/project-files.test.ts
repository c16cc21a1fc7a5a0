import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { SILENT_LOGGER } from "../../src/base/log.ts";
import { findProjectFiles } from "../../src/cli/project-files.ts";
import { readServedProject } from "../../src/cli/served-project.ts";
import { temporaryFolder } from "../service/temporary-folder.ts";

const FOLDER = "src/content/blog";

test.each([
  { where: "in a project, on this machine", flags: {}, folder: FOLDER },
  { where: "at an address of this machine", flags: { host: "127.0.0.1" }, folder: FOLDER },
  { where: "that other machines reach", flags: { host: "0.0.0.0" }, folder: undefined },
  { where: "behind a proxy", flags: { appUrl: "https://pages.example.org" }, folder: undefined },
  { where: "in a project without posts", config: { posts: false }, folder: undefined },
  { where: "in a project without that folder", config: { posts: { folder: "posts" } }, folder: undefined },
])("a service $where uses the folder $folder for its files", async ({ flags = {}, config = {}, folder }) => {
  const project = await temporaryFolder();
  await mkdir(join(project, FOLDER), { recursive: true });
  await writeFile(join(project, "imprint.config.mjs"), `export default ${JSON.stringify(config)};`);
  const served = await readServedProject(project, SILENT_LOGGER);
  const files = served && (await findProjectFiles(served, flags, { environment: {}, logger: SILENT_LOGGER }));
  expect(files?.folder).toBe(folder);
});

import { spawnSync } from "node:child_process";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { readProject } from "../../src/cli/project.ts";
import { temporaryFolder } from "../service/temporary-folder.ts";

const CLI = fileURLToPath(new URL("../../dist/cli.js", import.meta.url));
const NODE_MODULES = join(import.meta.dirname, "../../node_modules");

async function writeProject(files: Readonly<Record<string, string>>): Promise<string> {
  const root = await temporaryFolder();
  await symlink(NODE_MODULES, join(root, "node_modules"));
  for (const [file, text] of Object.entries({ "package.json": '{ "name": "tern", "type": "module" }', ...files })) {
    await mkdir(dirname(join(root, file)), { recursive: true });
    await writeFile(join(root, file), text);
  }
  return root;
}

const config = (imports: string, base: string) => `import { defineConfig } from "astro/config";\n${imports}
export default defineConfig({ base: ${base} });`;

// What `astro build` loads, because it falls back to Vite.
test.each([
  [
    "imports a file without its extension",
    {
      "astro.config.ts": config('import { BASE } from "./src/site";', "BASE"),
      "src/site.ts": 'export const BASE: string = "/tern";',
    },
  ],
  [
    "imports a folder",
    {
      "astro.config.mjs": config('import { BASE } from "./src/site";', "BASE"),
      "src/site/index.ts": 'export const BASE = "/tern";',
    },
  ],
  ["imports JSON", { "astro.config.mjs": config('import { name } from "./package.json";', '"/" + name') }],
  ["reads import.meta.env", { "astro.config.mjs": config("", 'import.meta.env.SSR ? "/tern" : "/"') }],
  ["has an enum", { "astro.config.ts": config('enum Base { Tern = "/tern" }', "Base.Tern") }],
])("the command line reads an Astro config that %s", async (_, files) => {
  expect((await readProject(await writeProject(files))).base).toBe("/tern/");
});

test("an invalid Astro config is reported with the reason", async () => {
  const root = await writeProject({ "astro.config.mjs": config("", "missing.base") });
  await expect(readProject(root)).rejects.toMatchObject({
    code: "OPTIONS_INVALID",
    location: { file: "astro.config.mjs" },
    message: "This file can't be loaded: missing is not defined",
  });
});

test.each([
  ["imprint.config.mjs", "export default {\n  service missing,\n};\n", "Correct the file"],
  ["imprint.config.mjs", "export default {\n  service: missing.address,\n};\n", "Correct the file"],
  ["astro.config.mjs", "export default {\n  base missing,\n};\n", "Correct the file"],
  ["astro.config.mjs", "export default {\n  base: missing.base,\n};\n", "Move the options"],
])("the line at which %s can't be loaded is named", async (file, text, hint) => {
  const root = await writeProject({ [file]: text });
  // Under Vitest, the lines would be those of its own modules.
  const { stdout, status } = spawnSync(process.execPath, [CLI, "plan", "--json"], { cwd: root, encoding: "utf8" });
  expect(JSON.parse(stdout).error).toMatchObject({
    ...{ code: "OPTIONS_INVALID", location: { file, line: 2 } },
    message: expect.stringMatching(/^This file can't be loaded: (?:Unexpected |missing is not defined)/),
    hint: expect.stringContaining(hint),
  });
  expect(status).toBe(2);
});

test("a package that isn't installed is named", async () => {
  const root = await writeProject({ "astro.config.mjs": config('import tern from "tern-package";', "tern") });
  await expect(readProject(root)).rejects.toMatchObject({
    message: expect.stringContaining("'tern-package'"),
    hint: expect.stringContaining("npm install"),
  });
});

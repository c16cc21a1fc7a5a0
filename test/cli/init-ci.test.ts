import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { load } from "js-yaml";
import { expect, it, onTestFinished } from "vitest";
import { runCli } from "../../src/cli/run-cli.ts";

const checkout = fileURLToPath(new URL("../..", import.meta.url));

/** Opens a project in a folder of a new repository; with `git: false`, it is in none. */
async function openRepository(files: Readonly<Record<string, string>>, { git = true, project = "." } = {}) {
  const root = await mkdtemp(join(tmpdir(), "imprint-ci-"));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const manifest = '{ "type": "module", "dependencies": { "astro": "*" } }\n';
  const config = "export default {};\n";
  const all = { [join(project, "package.json")]: manifest, [join(project, "astro.config.mjs")]: config, ...files };
  for (const [path, text] of Object.entries(all)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
  if (git) await mkdir(join(root, ".git"));
  await mkdir(join(root, "node_modules"));
  await symlink(checkout, join(root, "node_modules/astro-imprint"));
  const init = async (ci: "github" | "gitlab") => {
    let output = "";
    const write = (text: string) => void (output += text);
    const flags = ["--yes", "--no-publish", "--service", "https://pages.example.org", "--ci", ci];
    const context = { cwd: join(root, project), environment: { PATH: "" }, out: { write }, error: { write } };
    return { code: await runCli(["init", ...flags], context), output };
  };
  return { root, init, read: (path: string) => readFile(join(root, path), "utf8") };
}

const PNPM = { uses: "pnpm/action-setup@v6" };
const NODE = { "node-version": 24 };

const MANAGERS = [
  {
    title: "npm by default",
    files: {},
    setup: [{ uses: "actions/setup-node@v5", with: { ...NODE, cache: "npm" } }, { run: "npm ci" }],
    exec: "npx",
    gitlab: ["npm ci --cache .npm"],
  },
  {
    title: "pnpm by its lock file",
    files: { "pnpm-lock.yaml": "lockfileVersion: '6.0'\n" },
    setup: [
      { ...PNPM, with: { version: 8 } },
      { uses: "actions/setup-node@v5", with: { ...NODE, cache: "pnpm" } },
      { run: "pnpm install --frozen-lockfile" },
    ],
    exec: "pnpm exec",
    gitlab: [
      "corepack enable",
      "corepack prepare pnpm@8 --activate",
      "pnpm install --frozen-lockfile --store-dir .pnpm-store",
    ],
  },
  {
    title: "pnpm by packageManager",
    files: { "package.json": '{ "dependencies": { "astro": "*" }, "packageManager": "pnpm@9.15.0+sha512.abc" }' },
    setup: [
      PNPM,
      { uses: "actions/setup-node@v5", with: { ...NODE, cache: "pnpm" } },
      { run: "pnpm install --frozen-lockfile" },
    ],
    exec: "pnpm exec",
    gitlab: ["corepack enable", "pnpm install --frozen-lockfile --store-dir .pnpm-store"],
  },
  {
    title: "Yarn 1",
    files: { "yarn.lock": "# yarn lockfile v1\n" },
    setup: [
      { run: "corepack enable" },
      { uses: "actions/setup-node@v5", with: { ...NODE, cache: "yarn" } },
      { run: "yarn install --frozen-lockfile" },
    ],
    exec: "yarn",
    gitlab: ["corepack enable", "yarn install --frozen-lockfile"],
  },
  {
    title: "modern Yarn",
    files: { "yarn.lock": "__metadata:\n  version: 8\n" },
    setup: [
      { run: "corepack enable" },
      { uses: "actions/setup-node@v5", with: { ...NODE, cache: "yarn" } },
      { run: "yarn install --immutable" },
    ],
    exec: "yarn",
    gitlab: ["corepack enable", "yarn install --immutable"],
  },
  {
    title: "Bun",
    files: { "bun.lock": "{}" },
    setup: [
      { uses: "oven-sh/setup-bun@v2" },
      { uses: "actions/setup-node@v5", with: NODE },
      { run: "bun install --frozen-lockfile" },
    ],
    exec: "bunx",
    gitlab: ["npm install --global bun@latest", "bun install --frozen-lockfile"],
  },
] as const;

it.each(MANAGERS)("writes workflows for $title", async ({ files, setup, exec, gitlab }) => {
  const { init, read } = await openRepository(files);
  expect(await init("github")).toMatchObject({
    code: 0,
    output: expect.stringContaining(`run \`${exec} astro build\``),
  });
  const { steps } = Object(load(await read(".github/workflows/publish.yml"))).jobs.publish;
  const [checkoutStep, ...others] = steps;
  expect(checkoutStep).toEqual({ uses: "actions/checkout@v5" });
  expect(others.slice(0, setup.length)).toEqual(setup);
  expect(others[setup.length]).toEqual({ run: `${exec} astro build` });
  expect(steps).toContainEqual(expect.objectContaining({ run: `${exec} imprint publish` }));

  expect(await init("gitlab")).toMatchObject({ code: 0 });
  const pipeline = Object(load(await read(".gitlab-ci.yml")));
  expect(pipeline.default.before_script).toEqual(gitlab);
  expect(pipeline[".publish"].script[0]).toBe(`${exec} astro build`);
});

it("installs a workspace where its lock file is, and builds in the project's folder", async () => {
  const files = {
    "package.json": '{ "workspaces": ["sites/*"] }',
    "pnpm-lock.yaml": "lockfileVersion: '9.0'\n",
    ".github/workflows/publish.yml": "name: npm\n",
  };
  const { init, read } = await openRepository(files, { project: "sites/web" });
  const { output } = await init("github");
  expect(output).toContain("+ ../../.github/workflows/publish-web.yml");
  const workflow = Object(load(await read(".github/workflows/publish-web.yml")));
  expect(workflow.concurrency.group).toBe("publish-web-${{ github.ref }}");
  expect(workflow.jobs.publish.defaults).toEqual({ run: { "working-directory": "sites/web" } });
  expect(workflow.jobs.publish.steps).toEqual(
    expect.arrayContaining([
      { uses: "actions/setup-node@v5", with: { ...NODE, cache: "pnpm" } },
      { run: "pnpm install --frozen-lockfile", "working-directory": "." },
      { run: "pnpm exec astro build" },
    ]),
  );
  expect(await read("sites/web/astro.config.mjs")).toContain('publish: { branches: ["main"] }');
  expect(await read(".github/workflows/publish.yml")).toBe("name: npm\n");
});

it("installs a project of its own in its folder of the repository", async () => {
  const files = { "site/package-lock.json": "{}", "yarn.lock": "" };
  const { init, read } = await openRepository(files, { project: "site" });
  expect(await init("github")).toMatchObject({ code: 0 });
  const { steps } = Object(load(await read(".github/workflows/publish-site.yml"))).jobs.publish;
  expect(steps.slice(1, 3)).toEqual([
    {
      uses: "actions/setup-node@v5",
      with: { ...NODE, cache: "npm", "cache-dependency-path": "site/package-lock.json" },
    },
    { run: "npm ci", "working-directory": "site" },
  ]);
});

it.each([
  { title: "outside git", git: false, ci: "github", reason: "This folder is in no git repository. Run `git init`" },
  { title: "if it exists", git: true, ci: "github", reason: "It exists already. Add the steps of " },
  { title: "for a subfolder at GitLab", git: true, ci: "gitlab", reason: "The project is in a subfolder of the" },
] as const)("says why no workflow is written $title, and then restricts no branches", async ({ git, ci, reason }) => {
  const files = { ".github/workflows/publish-site.yml": "name: other\n" };
  const { root, init, read } = await openRepository(files, { git, project: "site" });
  expect(await init(ci)).toMatchObject({ code: 0, output: expect.stringContaining(`Not written. ${reason}`) });
  expect(await read("site/astro.config.mjs")).not.toContain("branches");
  expect(existsSync(join(root, ".gitlab-ci.yml"))).toBe(false);
});

it("advises to restrict branches if the options are set already", async () => {
  const { init, read } = await openRepository({}, { git: false });
  expect((await init("github")).output).not.toContain("Add publish:");
  const { init: again } = await openRepository({ "astro.config.mjs": await read("astro.config.mjs") });
  expect((await again("github")).output).toContain('Add publish: { branches: ["main"] } to the options');
});

import { basename } from "node:path";
import type { PackageManager } from "../../target/package-manager.ts";

/** Folders in the repository; empty for its root. */
export interface Folders {
  readonly project: string;
  /** Where the packages are installed: the project, or the root of its workspace. */
  readonly install: string;
}

/** Changes a GitHub workflow that uses npm in the repository's root to another package manager and folder. */
export function setUpOnGitHub(workflow: string, manager: PackageManager, { project, install }: Folders): string {
  const prefix = install === "" ? "" : `${install}/`;
  const steps = [
    ...MANAGER_STEPS[manager.name](manager, prefix),
    step("uses: actions/setup-node@v5", {
      "node-version": "24",
      // The action can't cache packages of Bun.
      ...(manager.name === "bun" ? {} : cacheInputs(manager, prefix)),
    }),
    `      - run: ${installCommand(manager)}`,
    ...(project === "" ? [] : [`        working-directory: ${quote(install || ".")}`]),
  ];
  const setUp = workflow.replace(/ +- uses: actions\/setup-node[^]*?- run: npm ci$/m, () => steps.join("\n"));
  if (project === "") return setUp;
  const defaults = `    defaults:\n      run:\n        working-directory: ${quote(project)}\n`;
  return setUp
    .replace("group: publish-", () => `group: publish-${basename(project)}-`)
    .replace(/^ {4}env:$/m, (env) => `${defaults}${env}`);
}

type Inputs = Readonly<Record<string, string>>;

function cacheInputs({ name, lockFile }: PackageManager, prefix: string): Inputs {
  return { cache: name, ...(prefix === "" ? {} : { "cache-dependency-path": quote(`${prefix}${lockFile}`) }) };
}

const MANAGER_STEPS: Readonly<
  Record<PackageManager["name"], (manager: PackageManager, prefix: string) => readonly string[]>
> = {
  npm: () => [],
  pnpm: ({ version, lock }, prefix) => {
    const declared: Inputs = prefix === "" ? {} : { package_json_file: quote(`${prefix}package.json`) };
    return [step("uses: pnpm/action-setup@v6", version === undefined ? { version: pnpmVersionOf(lock) } : declared)];
  },
  // Before `setup-node`, whose cache asks the project's own version of Yarn.
  yarn: () => ["      - run: corepack enable"],
  bun: ({ version }) => [
    step("uses: oven-sh/setup-bun@v2", version === undefined ? {} : { "bun-version": JSON.stringify(version) }),
  ],
};

function step(action: string, inputs: Inputs): string {
  const lines = Object.entries(inputs).map(([name, value]) => `          ${name}: ${value}`);
  return [`      - ${action}`, ...(lines.length === 0 ? [] : ["        with:", ...lines])].join("\n");
}

/** Changes a GitLab pipeline that uses npm to another package manager. */
export function setUpOnGitLab(pipeline: string, manager: PackageManager): string {
  const { cache, commands } = GITLAB_INSTALLS[manager.name](manager);
  return pipeline
    .replace("    - npm ci --cache .npm", () => commands.map((command) => `    - ${command}`).join("\n"))
    .replace(".npm/, ", cache === undefined ? "" : `${cache}/, `);
}

interface GitLabInstall {
  /** A folder for downloaded packages. */
  readonly cache?: string;
  readonly commands: readonly string[];
}

const GITLAB_INSTALLS: Readonly<Record<PackageManager["name"], (manager: PackageManager) => GitLabInstall>> = {
  npm: (manager) => ({ cache: ".npm", commands: [`${installCommand(manager)} --cache .npm`] }),
  pnpm: (manager) => ({
    cache: ".pnpm-store",
    commands: [
      "corepack enable",
      ...(manager.version === undefined ? [`corepack prepare pnpm@${pnpmVersionOf(manager.lock)} --activate`] : []),
      `${installCommand(manager)} --store-dir .pnpm-store`,
    ],
  }),
  yarn: (manager) => ({ commands: ["corepack enable", installCommand(manager)] }),
  bun: (manager) => ({
    commands: [`npm install --global bun@${manager.version ?? "latest"}`, installCommand(manager)],
  }),
};

function installCommand({ name, version, lock = "" }: PackageManager): string {
  if (name === "npm") return "npm ci";
  const isModernYarn =
    name === "yarn" && (version === undefined ? lock.includes("__metadata:") : !/^[01]\./.test(version));
  return `${name} install ${isModernYarn ? "--immutable" : "--frozen-lockfile"}`;
}

/** Returns the major version of pnpm that wrote a lock file: others refuse it, if it is frozen. */
function pnpmVersionOf(lock = ""): string {
  const [, format = ""] = /^lockfileVersion:\s*['"]?(\d+)/m.exec(lock) ?? [];
  return { 5: "7", 6: "8" }[format] ?? "10";
}

function quote(text: string): string {
  return /^[\w.][\w./-]*$/.test(text) ? text : JSON.stringify(text);
}

import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { ImprintError } from "../../base/error.ts";
import { readAstroConfig } from "../project.ts";
import type { SetupChoices } from "./ask.ts";
import { addIntegration } from "./edit-config.ts";
import { findRepository, readIfThere, type CiName, type ProjectFacts } from "./inspect-project.ts";

/** What was done to a file, or what a person has to change in it. */
export interface Change {
  readonly file: string;
  readonly kind: "written" | "kept" | "by hand";
  readonly lines: readonly string[];
}

/** Writes the settings to the project's files. Existing content is kept. */
export async function applyWishes(root: string, wishes: SetupChoices, { configFile }: ProjectFacts) {
  const changes = [await writeConfig(root, wishes, configFile), writeIgnores(root), writeWorkflow(root, wishes.ci)];
  return changes.filter((change) => change !== undefined);
}

function renderOptions({ service, posts, ci }: SetupChoices, branch: string): string {
  const folder = posts === "src/content/blog" ? "{}" : `{ folder: ${JSON.stringify(posts)} }`;
  const parts = [
    `service: ${JSON.stringify(service)}`,
    ...(posts === undefined ? [] : [`posts: ${folder}`]),
    ...(ci === undefined ? [] : [`publish: { branches: ["${branch}"] }`]),
  ];
  return `{ ${parts.join(", ")} }`;
}

const NEW_CONFIG = 'import { defineConfig } from "astro/config";\n\nexport default defineConfig({});\n';

async function writeConfig(root: string, wishes: SetupChoices, configFile: string | undefined): Promise<Change> {
  const file = configFile ?? "astro.config.mjs";
  const before = readIfThere(join(root, file)) ?? NEW_CONFIG;
  const options = renderOptions(wishes, liveBranch(root));
  const lines = ['import imprint from "astro-imprint";', `integrations: [imprint(${options})]`];
  const own = ["mjs", "js", "ts"]
    .map((ending) => `imprint.config.${ending}`)
    .find((name) => existsSync(join(root, name)));
  if (own !== undefined) return { file: own, kind: "kept", lines: [] };
  if (configFile !== undefined && (await isSetUp(root, file))) return { file, kind: "kept", lines: [] };
  const after = await addIntegration(before, options);
  if (after === undefined || !(await holds(root, { file, before, after }))) return { file, kind: "by hand", lines };
  writeFileSync(join(root, file), after);
  return { file, kind: "written", lines };
}

/** Whether `imprint()` already has options, which belong to the author. */
async function isSetUp(root: string, file: string): Promise<boolean> {
  const { options = {} } = await readAstroConfig(root, file);
  return Object.keys(options).length > 0;
}

/** Loads the edited and the old config: they must be equal except for `imprint()`. */
async function holds(
  root: string,
  { file, before, after }: { readonly file: string; readonly before: string; readonly after: string },
): Promise<boolean> {
  const ending = file.slice(file.lastIndexOf("."));
  const load = async (text: string, name: string) => {
    const place = `.imprint-init-${name}-${process.pid}${ending}`;
    writeFileSync(join(root, place), text);
    try {
      return await readAstroConfig(root, place);
    } finally {
      rmSync(join(root, place), { force: true });
    }
  };
  try {
    const [old, edited] = [await load(before, "old"), await load(after, "new")];
    const others = (names: readonly string[]) => names.filter((name) => name !== "imprint");
    return edited.options !== undefined && isDeepStrictEqual(others(edited.names), others(old.names));
  } catch (error) {
    if (error instanceof ImprintError) return false;
    throw error;
  }
}

const IGNORED = [".env", ".env.*.local", ".imprint/", "dist/"];

function writeIgnores(root: string): Change | undefined {
  if (findRepository(root) === undefined) return undefined;
  const file = join(root, ".gitignore");
  const text = readIfThere(file) ?? "";
  const there = new Set(text.split("\n").map((line) => line.trim().replace(/^\/|\/$/g, "")));
  const missing = IGNORED.filter((line) => !there.has(line.replace(/\/$/, "")));
  if (missing.length === 0) return { file: ".gitignore", kind: "kept", lines: [] };
  appendFileSync(file, `${text === "" || text.endsWith("\n") ? "" : "\n"}${missing.join("\n")}\n`);
  return { file: ".gitignore", kind: "written", lines: missing };
}

/** Returns the live branch: `main`, or `master` if the repository is on it. */
function liveBranch(root: string): string {
  const repository = findRepository(root) ?? root;
  return /^ref: refs\/heads\/master$/m.test(readIfThere(join(repository, ".git/HEAD")) ?? "") ? "master" : "main";
}

const WORKFLOWS = {
  github: { place: ".github/workflows/publish.yml", example: "publish.yml" },
  gitlab: { place: ".gitlab-ci.yml", example: "gitlab-ci.yml" },
} as const satisfies Record<CiName, { readonly place: string; readonly example: string }>;

// The docs folder of the package for the built program, of the repository for the sources.
const EXAMPLES = new URL(
  import.meta.url.endsWith(".ts") ? "../../../docs/examples/" : "../docs/examples/",
  import.meta.url,
);

function writeWorkflow(root: string, ci: CiName | undefined): Change | undefined {
  if (ci === undefined) return undefined;
  const { place, example } = WORKFLOWS[ci];
  const file = join(findRepository(root) ?? root, place);
  const name = relative(root, file);
  // An existing workflow belongs to the author, and one for a subfolder of a repository has to name that folder.
  if (existsSync(file) || findRepository(root) !== root) {
    return { file: name, kind: "by hand", lines: [`See node_modules/astro-imprint/docs/examples/${example}`] };
  }
  mkdirSync(dirname(file), { recursive: true });
  const text = readFileSync(new URL(example, EXAMPLES), "utf8");
  writeFileSync(file, text.replaceAll("[main]", `[${liveBranch(root)}]`));
  return {
    file: name,
    kind: "written",
    lines: ["Set IMPRINT_SERVICE and the secret IMPRINT_API_KEY in the CI's settings."],
  };
}

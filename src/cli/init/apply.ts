import { appendFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { ImprintError } from "../../base/error.ts";
import { readAstroConfig } from "../project.ts";
import type { SetupChoices } from "./ask.ts";
import { addIntegration } from "./edit-config.ts";
import { findRepository, liveBranch, readIfThere, type ProjectFacts } from "./inspect-project.ts";
import { planWorkflow, type Workflow } from "./workflow.ts";

/** What was done to a file, or what a person has to change in it. */
export interface Change {
  readonly file: string;
  readonly kind: "written" | "kept" | "by hand";
  readonly lines: readonly string[];
}

/** Writes the settings to the project's files. Existing content is kept. */
export async function applyWishes(root: string, wishes: SetupChoices, { configFile }: ProjectFacts) {
  const workflow = wishes.ci && planWorkflow(root, wishes.ci);
  // Only a workflow that is written publishes the live branch. Without one, any build does.
  const branch = workflow && "text" in workflow.content ? liveBranch(root) : undefined;
  const changes = [
    await writeConfig(root, configFile, { wishes, branch }),
    writeIgnores(root),
    workflow && writeWorkflow(root, workflow),
  ];
  return changes.filter((change) => change !== undefined);
}

interface Wanted {
  readonly wishes: SetupChoices;
  /** The branch that a written workflow publishes. */
  readonly branch: string | undefined;
}

function renderOptions({ wishes: { service, posts }, branch }: Wanted): string {
  const folder = posts === "src/content/blog" ? "{}" : `{ folder: ${JSON.stringify(posts)} }`;
  const parts = [
    `service: ${JSON.stringify(service)}`,
    ...(posts === undefined ? [] : [`posts: ${folder}`]),
    ...(branch === undefined ? [] : [`publish: { branches: ["${branch}"] }`]),
  ];
  return `{ ${parts.join(", ")} }`;
}

const NEW_CONFIG = 'import { defineConfig } from "astro/config";\n\nexport default defineConfig({});\n';

async function writeConfig(root: string, configFile: string | undefined, { wishes, branch }: Wanted): Promise<Change> {
  const file = configFile ?? "astro.config.mjs";
  const before = readIfThere(join(root, file)) ?? NEW_CONFIG;
  const options = renderOptions({ wishes, branch });
  const lines = ['import imprint from "astro-imprint";', `integrations: [imprint(${options})]`];
  const own = ["mjs", "js", "ts"]
    .map((ending) => `imprint.config.${ending}`)
    .find((name) => existsSync(join(root, name)));
  if (own !== undefined) return { file: own, kind: "kept", lines: [] };
  const { options: set = {} } = configFile === undefined ? {} : await readAstroConfig(root, file);
  // Existing options belong to the author.
  if (Object.keys(set).length > 0) return { file, kind: "kept", lines: adviseRules(set, branch) };
  const after = await addIntegration(before, options);
  if (after === undefined || !(await holds(root, { file, before, after }))) return { file, kind: "by hand", lines };
  writeFileSync(join(root, file), after);
  return { file, kind: "written", lines };
}

/** Without rules, the builds of pull requests in CI would publish too. */
function adviseRules(options: Readonly<Record<string, unknown>>, branch: string | undefined): readonly string[] {
  if (branch === undefined || options["publish"] !== undefined) return [];
  return [`Add publish: { branches: ["${branch}"] } to the options, so that builds of other branches don't publish.`];
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

function writeWorkflow(root: string, { file, content }: Workflow): Change {
  if ("refusal" in content) return { file, kind: "by hand", lines: [`Not written. ${content.refusal}`] };
  const place = join(root, file);
  mkdirSync(dirname(place), { recursive: true });
  writeFileSync(place, content.text);
  return {
    file,
    kind: "written",
    lines: ["Set IMPRINT_SERVICE and the secret IMPRINT_API_KEY in the CI's settings."],
  };
}

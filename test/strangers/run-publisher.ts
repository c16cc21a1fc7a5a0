import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { runCli } from "../../src/cli/run-cli.ts";
import { API_KEY, type Stranger } from "./host.ts";
import type { LoggedRequest } from "./host/world.ts";

/** What a user gets of one `imprint publish`, and what the host got. */
export interface PublisherRun {
  readonly code: number;
  /** Problems as the run told them: the error stream, the warnings, and entries that are not simply done. */
  readonly told: string;
  /** Where an exception came out, its stack. */
  readonly crash: string | undefined;
  readonly requests: readonly LoggedRequest[];
}

export interface ProjectOptions {
  readonly posts: { readonly blog: Readonly<Record<string, unknown>> };
  readonly slugs?: Readonly<Record<string, string>>;
}

// A module is loaded once for each path, so each time that the options change, they go to another of the known names.
const CONFIG_NAMES = ["imprint.config.mjs", "imprint.config.js", "imprint.config.ts"] as const;

export interface Config {
  write(options: ProjectOptions): Promise<void>;
}

export function createConfig(project: string, stranger: Stranger): Config {
  let written = 0;
  return {
    async write(options) {
      const { dialect, baseUrl, pagesBase } = stranger;
      const pagesUrl = dialect.pagesUrlOption === "set" ? { pagesUrl: pagesBase + dialect.pages.shownAt } : {};
      const all = { service: baseUrl, brandKit: {}, prune: true, maxDeleteShare: 1, ...pagesUrl, ...options };
      await Promise.all(CONFIG_NAMES.map((name) => rm(join(project, name), { force: true })));
      const name = CONFIG_NAMES[written];
      if (name === undefined) throw new Error("A history changes its options more often than there are names.");
      written += 1;
      await writeFile(join(project, name), `export default ${JSON.stringify(all, undefined, 2)};\n`);
    },
  };
}

/** Runs `imprint publish --json` in a project, as its command line does. */
export async function runPublisher(project: string, { world }: Stranger): Promise<PublisherRun> {
  const start = world.log.length;
  let out = "";
  let error = "";
  let code = -1;
  let crash: string | undefined;
  try {
    code = await runCli(["publish", "--json"], {
      cwd: project,
      environment: { IMPRINT_API_KEY: API_KEY },
      out: { write: (text) => (out += text) },
      error: { write: (text) => (error += text) },
      signal: AbortSignal.timeout(120_000),
    });
  } catch (thrown) {
    crash = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
  }
  return { code, told: [error, ...problemsIn(out)].join("\n"), crash, requests: world.log.slice(start) };
}

const SIMPLY_DONE = new Set<unknown>(["create", "update", "keep", "delete"]);

/** The entries and warnings of a report that tell a problem; an entry that is kept says nothing by its name. */
function problemsIn(out: string): readonly string[] {
  let report: unknown;
  try {
    report = JSON.parse(out);
  } catch {
    return out === "" ? [] : [`output that is no JSON: ${out}`];
  }
  const entries = listIn(report, "entries").filter((entry) => {
    const isDone = SIMPLY_DONE.has(Reflect.get(Object(entry), "kind"));
    return !isDone || Reflect.has(Object(entry), "error");
  });
  // What ends a run is an `error` instead of a report.
  return [Reflect.get(Object(report), "error"), ...entries, ...listIn(report, "warnings")]
    .filter((problem) => problem !== undefined)
    .map(textOf);
}

function listIn(report: unknown, name: string): readonly unknown[] {
  const list: unknown = Reflect.get(Object(report), name);
  return Array.isArray(list) ? list : [];
}

/** All texts in a value, as a reader sees them. */
function textOf(value: unknown): string {
  if (typeof value !== "object" || value === null) return String(value);
  return Object.values(value).map(textOf).join(" · ");
}

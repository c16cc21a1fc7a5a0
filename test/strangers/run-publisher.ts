import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { runCli } from "../../src/cli/run-cli.ts";
import { API_KEY, type Stranger } from "./host.ts";
import type { LoggedRequest } from "./host/world.ts";

/** The results of one `imprint publish` for the user, and the host's requests. */
export interface PublisherRun {
  readonly code: number;
  /** Reported problems: the error stream, the warnings, and entries that are not done. */
  readonly reported: string;
  /** Stack of an uncaught exception. */
  readonly crash: string | undefined;
  readonly requests: readonly LoggedRequest[];
}

export interface ProjectOptions {
  readonly posts: { readonly blog: Readonly<Record<string, unknown>> };
  readonly slugs?: Readonly<Record<string, string>>;
}

// A module is loaded only once per path, so changed options are written to another of the known names.
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

/** Runs `imprint publish --json` in a project. */
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
  return { code, reported: [error, ...problemsIn(out)].join("\n"), crash, requests: world.log.slice(start) };
}

const SIMPLY_DONE = new Set<unknown>(["create", "update", "keep", "delete"]);

/** Returns the entries and warnings of a report with problems; the name of a kept entry isn't one. */
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
  // A failed run prints an `error` instead of a report.
  return [Reflect.get(Object(report), "error"), ...entries, ...listIn(report, "warnings")]
    .filter((problem) => problem !== undefined)
    .map(textOf);
}

function listIn(report: unknown, name: string): readonly unknown[] {
  const list: unknown = Reflect.get(Object(report), name);
  return Array.isArray(list) ? list : [];
}

/** Returns all texts in a value. */
function textOf(value: unknown): string {
  if (typeof value !== "object" || value === null) return String(value);
  return Object.values(value).map(textOf).join(" · ");
}

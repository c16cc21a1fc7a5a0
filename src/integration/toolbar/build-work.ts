import { fork, type ChildProcess } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { PROGRAM } from "../../target/own-program.ts";
import { ORDER_VARIABLE, type BuildFindings, type BuildOrder } from "./build-order.ts";
import type { Ask, WorkView } from "./messages.ts";

/** Runs one program at a time for the toolbar: a build of the site, or a login. */
export function createWorks(projectRoot: string) {
  let view: WorkView | undefined;
  let child: ChildProcess | undefined;
  let waiting: (() => void)[] = [];

  function note(change: Partial<WorkView>): void {
    if (view === undefined) return;
    view = { ...view, ...change, revision: view.revision + 1 };
    const followers = waiting;
    waiting = [];
    for (const notify of followers) notify();
  }

  function start(kind: Ask["kind"], [file, ...args]: readonly [string, ...string[]], env: NodeJS.ProcessEnv) {
    view = { revision: (view?.revision ?? 0) + 1, kind, progress: "Starting…" };
    const lines: string[] = [];
    const started = fork(file, args, { cwd: projectRoot, env, stdio: ["ignore", "pipe", "pipe", "ipc"] });
    child = started;
    const listen = (chunk: unknown) => {
      const added = stripVTControlCharacters(String(chunk))
        .split("\n")
        .map((line) => line.trim())
        .filter(Boolean);
      lines.push(...added);
      const progress = lines.at(-1);
      const open = kind === "login" ? lines.join("\n").match(/https?:\/\/\S+/)?.[0] : undefined;
      if (progress !== undefined) note({ progress, open });
    };
    started.stdout?.on("data", listen);
    started.stderr?.on("data", listen);
    return new Promise<{ readonly isDone: boolean; readonly findings?: BuildFindings | undefined }>((resolve) => {
      let findings: BuildFindings | undefined;
      started.on("message", (message: BuildFindings) => (findings = message));
      started.on("error", (error) => lines.push(error.message));
      started.on("close", (code) => {
        child = undefined;
        const isDone = code === 0;
        resolve({ isDone, findings });
        const leftOut = isDone ? [] : leftOutOf(findings);
        const shown = leftOut.length > 0 ? leftOut : lines.slice(isDone ? -1 : -LINES_SHOWN);
        const outcome = isDone ? "done" : leftOut.length > 0 ? "incomplete" : "failed";
        const open = kind === "preview" ? { open: findings?.report.links.home } : {};
        note({ outcome, progress: shown.join("\n"), ...open });
      });
    });
  }

  return {
    isAtWork: () => child !== undefined,
    view: () => view,
    /** Runs `astro build` in its own process, as when publishing by hand. */
    build(kind: Ask["kind"], order: BuildOrder, environment: NodeJS.ProcessEnv = {}) {
      const manifest = createRequire(join(projectRoot, "package.json")).resolve("astro/package.json");
      // The dev server has set it to "development", which would build a different site.
      const { NODE_ENV: _, ...own } = process.env;
      const env = { ...own, ...environment, [ORDER_VARIABLE]: JSON.stringify(order) };
      return start(kind, [join(dirname(manifest), "bin/astro.mjs"), "build", ...configFlags()], env);
    },
    login: () => start("login", [PROGRAM, "login", "--no-browser"], process.env),
    /** Returns the work once its revision is newer than `seen`. */
    async follow(seen: number): Promise<WorkView | undefined> {
      if (view === undefined || view.revision > seen || child === undefined) return view;
      await new Promise<void>((resolve) => waiting.push(resolve));
      return view;
    },
    close: () => void child?.kill("SIGINT"),
  };
}

const LINES_SHOWN = 15;

/** Describes what a finished run didn't publish, or a plan wouldn't. */
function leftOutOf(findings: BuildFindings | undefined): readonly string[] {
  const entries = findings?.report.entries ?? [];
  return entries
    .filter(({ kind, counts }) => kind === "failed" || (kind === "blocked" && counts !== "never"))
    .map(({ resource, name, reason, hint = "", error }) =>
      `${resource} ${name}: ${error?.message ?? `${reason}.`} ${error?.hint ?? hint}`.trimEnd(),
    );
}

/** The configuration file that `astro dev` was started with. */
function configFlags(): readonly string[] {
  const at = process.argv.indexOf("--config");
  const file = process.argv[at + 1];
  return at === -1 || file === undefined ? [] : ["--config", file];
}

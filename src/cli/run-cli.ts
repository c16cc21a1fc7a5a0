import { CommanderError } from "commander";
import { ImprintError } from "../base/error.ts";
import type { CliContext, ExitCode } from "./context.ts";
import { createProgram } from "./program.ts";
import { renderError } from "./terminal.ts";

/** Runs one command. Never throws for errors that a user can cause: prints them and returns an exit code. */
export async function runCli(argv: readonly string[], context: CliContext): Promise<ExitCode> {
  let exitCode: ExitCode = 0;
  const program = createProgram(context, (code) => {
    exitCode = code;
  });
  try {
    await program.parseAsync(isOverview(argv) ? ["overview", ...argv] : [...argv], { from: "user" });
    return exitCode;
  } catch (thrown) {
    // Commander has printed the help itself.
    if (thrown instanceof CommanderError && thrown.code === "commander.help") return 2;
    if (thrown instanceof CommanderError && thrown.exitCode === 0) return 0;
    const error =
      thrown instanceof CommanderError
        ? await usageError(thrown, { argv: argv[0] === "help" ? argv.slice(1) : argv, program })
        : thrown;
    if (!(error instanceof ImprintError)) throw error;
    const code = error.code === "USAGE" || error.code === "OPTIONS_INVALID" ? 2 : 1;
    if (isJsonWanted(argv)) context.out.write(renderJsonError(error, code));
    else context.error.write(renderError(error, context));
    return code;
  }
}

async function usageError(...[thrown, call]: Parameters<typeof import("./usage-error.ts").usageError>) {
  return (await import("./usage-error.ts")).usageError(thrown, call);
}

/** Whether this is `imprint` without a command, perhaps with flags of the overview. */
function isOverview([first]: readonly string[]): boolean {
  return first === undefined || /^--(?:json|root)(?:=|$)/.test(first);
}

function isJsonWanted(argv: readonly string[]): boolean {
  const end = argv.indexOf("--");
  return argv.slice(0, end === -1 ? undefined : end).includes("--json");
}

function renderJsonError({ code, title, message, hint, location }: ImprintError, exitCode: ExitCode): string {
  return `${JSON.stringify({ version: 1, error: { code, title, message, hint, location }, exitCode }, undefined, 2)}\n`;
}

const SIGNALS = ["SIGINT", "SIGTERM"] as const;

/**
 * Turns the first Ctrl+C (or SIGTERM) into an aborted signal, so that a command can finish work in progress. The second
 * ends the process immediately.
 */
export function listenForInterrupts(): AbortSignal {
  const controller = new AbortController();
  for (const name of SIGNALS) {
    process.once(name, () => {
      for (const other of SIGNALS) process.removeAllListeners(other);
      controller.abort();
    });
  }
  return controller.signal;
}

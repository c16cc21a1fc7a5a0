import { CommanderError } from "commander";
import { ImprintError } from "../base/error.ts";
import type { CliContext, ExitCode } from "./context.ts";
import { createProgram } from "./program.ts";
import { renderError } from "./terminal.ts";

/** Runs one command. Never throws for what a user can cause: it prints the error and answers an exit code. */
export async function runCli(argv: readonly string[], context: CliContext): Promise<ExitCode> {
  let exitCode: ExitCode = 0;
  const program = createProgram(context, (code) => {
    exitCode = code;
  });
  try {
    await program.parseAsync([...argv], { from: "user" });
    return exitCode;
  } catch (error) {
    // Commander has printed the usage or the help itself.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    if (!(error instanceof ImprintError)) throw error;
    context.error.write(renderError(error, context));
    return error.code === "USAGE" || error.code === "OPTIONS_INVALID" ? 2 : 1;
  }
}

const SIGNALS = ["SIGINT", "SIGTERM"] as const;

/**
 * Turns the first Ctrl+C (or SIGTERM) into an aborted signal, so that a command can finish what is on the way. The second
 * ends the process as if nobody listened.
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

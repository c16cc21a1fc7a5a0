import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { isCi } from "../base/ci.ts";

/** Path of imprint's CLI, for running it with Node. */
export const PROGRAM = fileURLToPath(
  new URL(import.meta.url.endsWith(".ts") ? "../cli.ts" : "./cli.js", import.meta.url),
);

/** Environment variable for child processes of a setup, which has already asked all questions. */
export const SETUP_VARIABLE = "IMPRINT_SETUP";

/** Whether this process can prompt a person on a terminal. */
export function isAnswerable(asked: { readonly isTTY?: boolean } = process.stdout): boolean {
  const { stdin, env } = process;
  return stdin.isTTY && asked.isTTY === true && !isCi(env) && env[SETUP_VARIABLE] === undefined;
}

/** Runs an imprint command on this process's terminal; returns its exit code. */
export function runImprint(args: readonly string[], cwd: string): Promise<number> {
  return runNode([PROGRAM, ...args], cwd);
}

/** Runs a Node program on this process's terminal; returns its exit code. */
export async function runNode(args: readonly string[], cwd: string, environment: NodeJS.ProcessEnv = {}) {
  const env = { ...process.env, ...environment };
  const child = spawn(process.execPath, [...process.execArgv, ...args], { cwd, env, stdio: "inherit" });
  // The terminal sends Ctrl+C to both processes; the child decides when to exit.
  const stay = () => {};
  process.on("SIGINT", stay);
  try {
    const [code]: readonly unknown[] = await once(child, "exit");
    return typeof code === "number" ? code : 1;
  } finally {
    process.off("SIGINT", stay);
  }
}

/** Runs an imprint command after everything else in this process has ended. */
export function runImprintAtExit(args: readonly string[], cwd: string): void {
  process.once("exit", () => {
    process.on("SIGINT", () => {});
    spawnSync(process.execPath, [PROGRAM, ...args], { cwd, stdio: "inherit" });
  });
}

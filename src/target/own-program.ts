import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { isCi } from "../base/ci.ts";

/** The command line of imprint, as a file for Node. */
export const PROGRAM = fileURLToPath(
  new URL(import.meta.url.endsWith(".ts") ? "../cli.ts" : "./cli.js", import.meta.url),
);

/** Says to what imprint starts that a setup is under way, which has asked what there is to ask. */
export const SETUP_VARIABLE = "IMPRINT_SETUP";

/** Whether somebody at a terminal can answer what this process asks on a stream. */
export function isAnswerable(asked: { readonly isTTY?: boolean } = process.stdout): boolean {
  const { stdin, env } = process;
  return stdin.isTTY && asked.isTTY === true && !isCi(env) && env[SETUP_VARIABLE] === undefined;
}

/** Runs a command of imprint at the terminal of this process; gives its exit code. */
export function runImprint(args: readonly string[], cwd: string): Promise<number> {
  return runNode([PROGRAM, ...args], cwd);
}

/** Runs a program of Node at the terminal of this process; gives its exit code. */
export async function runNode(args: readonly string[], cwd: string, environment: NodeJS.ProcessEnv = {}) {
  const env = { ...process.env, ...environment };
  const child = spawn(process.execPath, [...process.execArgv, ...args], { cwd, env, stdio: "inherit" });
  // The terminal sends Ctrl+C to both; the child decides when it ends.
  const stay = () => {};
  process.on("SIGINT", stay);
  try {
    const [code]: readonly unknown[] = await once(child, "exit");
    return typeof code === "number" ? code : 1;
  } finally {
    process.off("SIGINT", stay);
  }
}

/** Runs a command of imprint when everything else in this process has ended. */
export function runImprintAtExit(args: readonly string[], cwd: string): void {
  process.once("exit", () => {
    process.on("SIGINT", () => {});
    spawnSync(process.execPath, [PROGRAM, ...args], { cwd, stdio: "inherit" });
  });
}

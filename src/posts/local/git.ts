import { execFile } from "node:child_process";
import { existsSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const MOST_BYTES = 16 * 1024 * 1024;

export interface GitPlace {
  readonly cwd: string;
  readonly environment?: NodeJS.ProcessEnv;
}

/** Returns git's output, or `undefined` if there is no git, no repository, or the command fails. */
export async function runGit(
  args: readonly string[],
  { cwd, environment = process.env }: GitPlace,
): Promise<string | undefined> {
  try {
    // Starting git only to learn that takes much longer.
    if (environment["GIT_DIR"] === undefined && !isInRepository(realpathSync(cwd))) return undefined;
    return (await run("git", [...args], { cwd, env: environment, maxBuffer: MOST_BYTES })).stdout;
  } catch {
    return undefined;
  }
}

function isInRepository(folder: string): boolean {
  const above = dirname(folder);
  return existsSync(join(folder, ".git")) || (above !== folder && isInRepository(above));
}

import { constants } from "node:fs";
import { access, mkdir, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { ImprintError, messageOf } from "../base/error.ts";
import type { CliContext } from "./context.ts";

/**
 * Makes the folder of a file that a flag names, before a command does the work that the file is about.
 *
 * @throws ImprintError `USAGE` when no file can be written there
 */
export async function prepareOutput(file: string, { cwd }: Pick<CliContext, "cwd">): Promise<void> {
  const folder = dirname(resolve(cwd, file));
  await orRefuse(file, async () => {
    await mkdir(folder, { recursive: true });
    await access(folder, constants.W_OK);
  });
}

/** Writes a file that a flag names, and the folder that it is missing. Throws `USAGE` when that can't be done. */
export async function writeOutput(file: string, text: string, context: Pick<CliContext, "cwd">): Promise<void> {
  await prepareOutput(file, context);
  await orRefuse(file, () => writeFile(resolve(context.cwd, file), text));
}

async function orRefuse(file: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    throw new ImprintError("USAGE", `${file} can't be written: ${messageOf(error)}`, {
      cause: error,
      hint: "Name a file in a folder that you can write to.",
    });
  }
}

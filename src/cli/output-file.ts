import { constants } from "node:fs";
import { access, mkdir, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { ImprintError, messageOf } from "../base/error.ts";
import type { CliContext } from "./context.ts";

/**
 * Creates the folder of an output file before a command does the work that the file depends on.
 *
 * @throws ImprintError `USAGE` if the folder isn't writable
 */
export async function prepareOutput(file: string, { cwd }: Pick<CliContext, "cwd">): Promise<void> {
  const folder = dirname(resolve(cwd, file));
  await orThrowUsage(file, async () => {
    await mkdir(folder, { recursive: true });
    await access(folder, constants.W_OK);
  });
}

/** Writes an output file, and creates its folder if needed. Throws `USAGE` if that fails. */
export async function writeOutput(file: string, text: string, context: Pick<CliContext, "cwd">): Promise<void> {
  await prepareOutput(file, context);
  await orThrowUsage(file, () => writeFile(resolve(context.cwd, file), text));
}

async function orThrowUsage(file: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    throw new ImprintError("USAGE", `${file} can't be written: ${messageOf(error)}`, {
      cause: error,
      hint: "Choose a folder that you can write to.",
    });
  }
}

import { rename, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { makeOwnFolder } from "../disk/own-folder.ts";

/** Writes a file of a cache beside its place and renames it into it, so that a stopped run leaves no half file. */
export async function writeWhole(file: string, content: string | Uint8Array): Promise<void> {
  const temporary = `${file}.${process.pid}.tmp`;
  makeOwnFolder(dirname(file));
  try {
    await writeFile(temporary, content);
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

import { statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import * as z from "zod";

/** Names the program in the keys of its caches. */
export async function programVersion(): Promise<string> {
  // A build of our own code that was not released has its time only.
  const program = await readFile(new URL("../../package.json", import.meta.url), "utf8");
  const { version } = z.object({ version: z.string() }).parse(JSON.parse(program));
  return `${version} ${statSync(fileURLToPath(import.meta.url)).mtimeMs}`;
}

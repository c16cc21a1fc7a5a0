import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import * as z from "zod";

const runningServiceSchema = z.object({
  version: z.literal(1),
  pid: z.int().positive(),
  /** Name of the machine that the process runs on. */
  host: z.string(),
  /** Address of the API as it is reached from this machine. */
  url: z.url(),
  /** Address where published pages are shown. */
  pagesUrl: z.url(),
  /** Address of published pages as it is reached from this machine. */
  reachablePagesUrl: z.url(),
  /** Key that ends with the process. */
  apiKey: z.string(),
});

/** The service that runs on a data folder, for other programs that work on the same folder. */
export type RunningServiceFile = z.infer<typeof runningServiceSchema>;

const NAME = "service.json";

/**
 * Shows others which service runs on a data folder, and gives what takes that back. Only the owner of the folder can read
 * it, and its key is of no use once this process has ended. Throws what the file system throws.
 */
export function announceService(
  folder: string,
  running: Omit<RunningServiceFile, "version" | "pid" | "host">,
): () => void {
  const file = join(folder, NAME);
  const draft = `${file}.${process.pid}.tmp`;
  const text = JSON.stringify({
    version: 1,
    pid: process.pid,
    host: hostname(),
    ...running,
  } satisfies RunningServiceFile);
  writeFileSync(draft, `${text}\n`, { mode: 0o600 });
  renameSync(draft, file);
  return () => {
    // Another service may have been started on the folder since.
    if (parse(readIfThere(file))?.apiKey === running.apiKey) rmSync(file, { force: true });
  };
}

/**
 * The service that a data folder names, if its process lives on this machine. What lives may still be another program
 * that was given the number of a process that has ended: whoever trusts the answer asks the service itself.
 */
export async function findAnnouncedService(folder: string): Promise<RunningServiceFile | undefined> {
  const running = parse(await readFile(join(folder, NAME), "utf8").catch(() => ""));
  return running !== undefined && running.host === hostname() && isAlive(running.pid) ? running : undefined;
}

function parse(text: string): RunningServiceFile | undefined {
  try {
    return runningServiceSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

function readIfThere(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // There is one, but it belongs to somebody else.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

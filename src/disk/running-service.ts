import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import * as z from "zod";
import { parseJson } from "../base/json.ts";

const runningServiceSchema = z.object({
  version: z.literal(1),
  pid: z.int().positive(),
  /** Name of the machine that the process runs on. */
  host: z.string(),
  /** Address of the API from this machine. */
  url: z.url(),
  /** Public address of published pages. */
  pagesUrl: z.url(),
  /** Address of published pages from this machine. */
  reachablePagesUrl: z.url(),
  /** Key that is valid until the process ends. */
  apiKey: z.string(),
});

/** The service that runs on a data folder, for other programs that use the same folder. */
export type RunningServiceFile = z.infer<typeof runningServiceSchema>;

const NAME = "service.json";

/**
 * Announces which service runs on a data folder, and returns a function that withdraws the announcement. Only the owner
 * of the folder can read it, and its key is invalid once this process has ended. Throws file system errors.
 */
export function announceService(
  folder: string,
  running: Omit<RunningServiceFile, "version" | "pid" | "host">,
): () => void {
  const file = join(folder, NAME);
  const draft = `${file}.${process.pid}.tmp`;
  const content: RunningServiceFile = { version: 1, pid: process.pid, host: hostname(), ...running };
  writeFileSync(draft, `${JSON.stringify(content)}\n`, { mode: 0o600 });
  renameSync(draft, file);
  return () => {
    // Another service may have started on the folder since.
    if (parse(readIfThere(file))?.apiKey === running.apiKey) rmSync(file, { force: true });
  };
}

/**
 * Finds the service announced in a data folder, if its process is running on this machine. That process may be another
 * program that reuses the ID, so callers that rely on the result have to check the service itself.
 */
export async function findAnnouncedService(folder: string): Promise<RunningServiceFile | undefined> {
  const running = parse(await readFile(join(folder, NAME), "utf8").catch(() => ""));
  return running !== undefined && running.host === hostname() && isAlive(running.pid) ? running : undefined;
}

function parse(text: string): RunningServiceFile | undefined {
  return runningServiceSchema.safeParse(parseJson(text)).data;
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
    // The process exists, but belongs to another user.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

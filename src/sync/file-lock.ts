import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { link, mkdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import * as z from "zod";
import { systemCodeOf } from "../base/error.ts";

/** A file that only one process at a time holds. */
export interface FileLock {
  /** Lets the next one in. Calling it again does nothing. */
  release(): Promise<void>;
}

/** The process that holds a lock and is at work. */
export interface Living {
  readonly pid: number;
}

const holderSchema = z.object({
  pid: z.int().positive(),
  /** When the process started, in a form that only this machine understands. */
  started: z.string(),
  host: z.string(),
});

// Clearing takes a moment; a folder that stands longer was left by a run that was killed in it.
const CLEARING_MS = 10_000;

type Holder = z.infer<typeof holderSchema>;

/**
 * Takes a lock, or tells who holds it. The lock of a process that has ended is taken over. Throws what the file system
 * throws; the folder has to be there.
 */
export async function tryFileLock(file: string): Promise<FileLock | Living> {
  const own: Holder = { pid: process.pid, started: startOf(process.pid), host: hostname() };
  while (!(await claim(file, own))) {
    const living = await clearStale(file);
    if (living !== undefined) return living;
  }
  let isHeld = true;
  return {
    async release() {
      if (!isHeld) return;
      isHeld = false;
      await rm(file, { force: true });
    },
  };
}

// Linked from a whole file, so that nobody ever reads half a lock.
async function claim(file: string, own: Holder): Promise<boolean> {
  const text = JSON.stringify(own);
  const draft = `${file}.${randomUUID()}.tmp`;
  try {
    await writeFile(draft, text);
    await link(draft, file);
    return true;
  } catch (error) {
    const code = systemCodeOf(error);
    if (code === "EEXIST") return false;
    // Some network and foreign file systems have no links.
    if (code === "EPERM" || code === "ENOTSUP" || code === "ENOSYS") return await claimPlainly(file, text);
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

async function claimPlainly(file: string, text: string): Promise<boolean> {
  try {
    await writeFile(file, text, { flag: "wx" });
    return true;
  } catch (error) {
    if (systemCodeOf(error) === "EEXIST") return false;
    throw error;
  }
}

// Only who made the folder beside the lock may remove it, and looks at it again before: of many that find the same
// stale lock none removes the fresh one of another.
async function clearStale(file: string): Promise<Living | undefined> {
  const living = findLiving(await readHolder(file));
  if (living !== undefined) return living;
  const guard = `${file}.clearing`;
  try {
    await mkdir(guard);
  } catch (error) {
    if (systemCodeOf(error) !== "EEXIST") throw error;
    const { mtimeMs } = await stat(guard).catch(() => ({ mtimeMs: Date.now() }));
    if (Date.now() - mtimeMs > CLEARING_MS) await rm(guard, { recursive: true, force: true });
    return undefined;
  }
  try {
    const holder = await readHolder(file);
    const fresh = findLiving(holder);
    // Where nothing stands any more, the next that stands there is fresh.
    if (fresh === undefined && holder !== "nobody") await rm(file, { force: true });
    return fresh;
  } finally {
    await rm(guard, { recursive: true, force: true });
  }
}

function findLiving(holder: Held): Living | undefined {
  return holder === "nobody" || holder === "damaged" || !isAlive(holder) ? undefined : { pid: holder.pid };
}

type Held = Holder | "nobody" | "damaged";

async function readHolder(file: string): Promise<Held> {
  try {
    return holderSchema.safeParse(JSON.parse(await readFile(file, "utf8"))).data ?? "damaged";
  } catch (error) {
    return systemCodeOf(error) === "ENOENT" ? "nobody" : "damaged";
  }
}

// The number of a process is given again after its end, also to this process: only with its start it names one.
function isAlive({ pid, started, host }: Holder): boolean {
  if (host !== hostname()) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (systemCodeOf(error) === "ESRCH") return false;
  }
  const current = startOf(pid);
  return current === "" || started === "" || current === started;
}

/** Empty where the system does not tell it. */
function startOf(pid: number): string {
  try {
    // The name of a program, in parentheses, may hold spaces and parentheses itself.
    const [, fields = ""] = /^.*\)\s(.*)$/s.exec(readFileSync(`/proc/${pid}/stat`, "utf8")) ?? [];
    return fields.split(" ")[19] ?? "";
  } catch {
    return pid === process.pid ? String(Math.round(Date.now() - process.uptime() * 1000)) : "";
  }
}

import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { link, mkdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import * as z from "zod";
import { ImprintError, messageOf, systemCodeOf } from "../base/error.ts";

/** Held while a run works on a project. */
export interface RunLock {
  /** Lets the next run in. Calling it again does nothing. */
  release(): Promise<void>;
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
 * Takes `.imprint/run.lock`, so that two runs on one project do not work against each other. The lock of a process that
 * has ended is taken over.
 *
 * @throws ImprintError `RUN_LOCKED` when another run holds it, `STATE_UNWRITABLE` when it can't be written
 */
export async function takeRunLock(projectRoot: string): Promise<RunLock> {
  const folder = join(projectRoot, ".imprint");
  const file = join(folder, "run.lock");
  const own: Holder = { pid: process.pid, started: startOf(process.pid), host: hostname() };
  try {
    await mkdir(folder, { recursive: true });
    while (!(await claim(file, own))) await clearStale(file);
  } catch (error) {
    if (error instanceof ImprintError) throw error;
    throw new ImprintError("STATE_UNWRITABLE", `${file} can't be written: ${messageOf(error)}`, { cause: error });
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

// Only who made the folder beside the lock may remove it, and looks at it again before: of many runs that find the same
// stale lock none removes the fresh one of another.
async function clearStale(file: string): Promise<void> {
  refuseLiving(await readHolder(file), file);
  const guard = `${file}.clearing`;
  try {
    await mkdir(guard);
  } catch (error) {
    if (systemCodeOf(error) !== "EEXIST") throw error;
    const { mtimeMs } = await stat(guard).catch(() => ({ mtimeMs: Date.now() }));
    if (Date.now() - mtimeMs > CLEARING_MS) await rm(guard, { recursive: true, force: true });
    return;
  }
  try {
    const holder = await readHolder(file);
    refuseLiving(holder, file);
    // Where nothing stands any more, the next that stands there is fresh.
    if (holder !== "nobody") await rm(file, { force: true });
  } finally {
    await rm(guard, { recursive: true, force: true });
  }
}

function refuseLiving(holder: Held, file: string): void {
  if (holder === "nobody" || holder === "damaged" || !isAlive(holder)) return;
  throw new ImprintError("RUN_LOCKED", `The process ${holder.pid} is publishing this project (${file}).`, {
    hint: `Wait until it has finished, or end the process ${holder.pid}.`,
  });
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

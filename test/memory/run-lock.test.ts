import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { acquireRunLock } from "../../src/memory/process-lock.ts";

const MODULE = fileURLToPath(new URL("../../src/memory/process-lock.ts", import.meta.url));

async function openProject(): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), "imprint-lock-"));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  return root;
}

async function writeLock(root: string, text: string): Promise<void> {
  await mkdir(join(root, ".imprint"), { recursive: true });
  await writeFile(join(root, ".imprint", "run.lock"), text);
}

/** The lock can be acquired, and names this process while it is held. */
async function expectTaken(root: string): Promise<void> {
  const lock = acquireRunLock(root);
  expect(await readFile(join(root, ".imprint", "run.lock.pid"), "utf8")).toBe(String(process.pid));
  lock.release();
}

/** A process that acquires the lock and then waits; prints `taken` or the error code. */
async function runHolder(root: string) {
  const script = `import { acquireRunLock } from ${JSON.stringify(MODULE)};
    try { acquireRunLock(${JSON.stringify(root)}); console.log("taken"); } catch (error) { console.log(error.code); }
    setTimeout(() => {}, 60000);`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script]);
  onTestFinished(() => void child.kill("SIGKILL"));
  const [answer] = await once(child.stdout, "data");
  return { child, answer: String(answer).trim() };
}

it("rejects a second run on the same project and names the process", async () => {
  const root = await openProject();
  const lock = acquireRunLock(root);
  expect(() => acquireRunLock(root)).toThrow(
    expect.objectContaining({ code: "RUN_LOCKED", message: expect.stringContaining(String(process.pid)) }),
  );
  lock.release();
  expect(await readdir(join(root, ".imprint"))).toEqual([".gitignore", "run.lock"]);
  acquireRunLock(root).release();
});

it("rejects a run in another process, and takes over the lock when that process is killed", async () => {
  const root = await openProject();
  const { child, answer } = await runHolder(root);
  expect(answer).toBe("taken");
  expect(() => acquireRunLock(root)).toThrow(
    expect.objectContaining({ code: "RUN_LOCKED", message: expect.stringContaining(String(child.pid)) }),
  );
  child.kill("SIGKILL");
  await once(child, "exit");
  expect(existsSync(join(root, ".imprint", "run.lock.pid"))).toBe(true);
  await expectTaken(root);
});

it("takes over a lock from the first version, from another machine, and a truncated one", async () => {
  const root = await openProject();
  const texts = [
    JSON.stringify({ pid: process.pid, started: "long ago", host: hostname() }),
    JSON.stringify({ pid: process.pid, started: "1", host: "elsewhere" }),
    '{"pid": 12',
    "",
  ];
  for (const text of texts) {
    await writeLock(root, text);
    await expectTaken(root);
  }
});

it("allows only one of many runs that find the same stale lock", async () => {
  for (let round = 0; round < 3; round++) {
    const root = await openProject();
    await writeLock(root, JSON.stringify({ pid: process.pid, started: "long ago", host: hostname() }));
    const holders = await Promise.all(Array.from({ length: 6 }, () => runHolder(root)));
    expect(holders.filter(({ answer }) => answer === "taken")).toHaveLength(1);
    expect(holders.filter(({ answer }) => answer === "RUN_LOCKED")).toHaveLength(5);
    for (const { child } of holders) child.kill("SIGKILL");
  }
});

it("allows only one of many runs in one process", async () => {
  const root = await openProject();
  const results = await Promise.allSettled(Array.from({ length: 12 }, async () => acquireRunLock(root)));
  expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
});

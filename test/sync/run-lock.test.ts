import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { takeRunLock } from "../../src/sync/run-lock.ts";

async function openProject(): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), "imprint-lock-"));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  return root;
}

async function writeLock(root: string, text: string): Promise<void> {
  await mkdir(join(root, ".imprint"), { recursive: true });
  await writeFile(join(root, ".imprint", "run.lock"), text);
}

/** The lock can be taken, and names this process while it is held. */
async function expectTaken(root: string): Promise<void> {
  const lock = await takeRunLock(root);
  const holder: unknown = JSON.parse(await readFile(join(root, ".imprint", "run.lock"), "utf8"));
  expect(holder).toMatchObject({ pid: process.pid, host: hostname() });
  await lock.release();
}

it("refuses a second run on the same project and names the process", async () => {
  const root = await openProject();
  const lock = await takeRunLock(root);
  await expect(takeRunLock(root)).rejects.toMatchObject({
    code: "RUN_LOCKED",
    message: expect.stringContaining(String(process.pid)),
  });
  await lock.release();
  expect(await readdir(join(root, ".imprint"))).toEqual([".gitignore"]);
  await (await takeRunLock(root)).release();
});

it("takes over the lock of a process that was killed", async () => {
  const root = await openProject();
  const child = spawn(process.execPath, ["-e", "setTimeout(() => {}, 60000)"]);
  const { pid } = child;
  child.kill("SIGKILL");
  await once(child, "exit");
  await writeLock(root, JSON.stringify({ pid, started: "1", host: hostname() }));
  await expectTaken(root);
});

it("takes over a lock whose process number now belongs to another program", async () => {
  const root = await openProject();
  await writeLock(root, JSON.stringify({ pid: process.pid, started: "long ago", host: hostname() }));
  await expectTaken(root);
});

it("takes over a lock that came from another machine in a cache, and one that was cut off", async () => {
  const root = await openProject();
  for (const text of [JSON.stringify({ pid: process.pid, started: "1", host: "elsewhere" }), '{"pid": 12', ""]) {
    await writeLock(root, text);
    await expectTaken(root);
  }
});

it("lets only one of many runs in that find the same stale lock", async () => {
  for (let round = 0; round < 40; round++) {
    const root = await openProject();
    await writeLock(root, JSON.stringify({ pid: process.pid, started: "long ago", host: hostname() }));
    const results = await Promise.allSettled(Array.from({ length: 12 }, () => takeRunLock(root)));
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  }
});

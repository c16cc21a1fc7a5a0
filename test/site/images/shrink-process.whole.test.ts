import { spawnSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { messageOf } from "../../../src/base/error.ts";
import { createProgram } from "../../../src/disk/program.ts";
import { readEntry } from "../../../src/site/images/image-cache.ts";
import { createShrinkProcess } from "../../../src/site/images/shrink-process.ts";
import type { ShrinkJob, ShrinkResult } from "../../../src/site/images/shrink-program.ts";
import { photo } from "./pictures.ts";

const PROGRAM = new URL("../../../src/site/images/shrink-program.ts", import.meta.url);

async function jobFor(bytes: Uint8Array) {
  const folder = await mkdtemp(join(tmpdir(), "imprint-images-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, "photo.jpg");
  await writeFile(path, bytes);
  return { path, settings: { mode: "same-type", formats: [] }, entry: join(folder, "entry") } as const;
}

async function jpeg(width: number, height: number): Promise<Buffer> {
  return await (await photo(width, height)).jpeg({ quality: 95 }).toBuffer();
}

function programs(): readonly number[] {
  const { stdout } = spawnSync("pgrep", ["-P", String(process.pid), "-f", "shrink-program"], { encoding: "utf8" });
  return stdout.split("\n").filter(Boolean).map(Number);
}

/** Like a system without free memory. */
async function killProgram(others: readonly number[]): Promise<void> {
  const findOwn = () => programs().find((id) => !others.includes(id));
  await expect.poll(findOwn).toBeDefined();
  const id = findOwn();
  if (id !== undefined) process.kill(id, "SIGKILL");
}

it("restarts for an image after the process was idle and ended", async () => {
  const shrinkProcess = createShrinkProcess({ idleMs: 1 });
  const job = await jobFor(await jpeg(64, 48));
  await shrinkProcess.shrink(job);
  const first = await readEntry(job.entry);
  await rm(job.entry);
  await expect.poll(() => shrinkProcess.isRunning()).toBe(false);
  expect(await shrinkProcess.shrink(job)).toEqual({ kind: "written" });
  expect(await readEntry(job.entry)).toEqual(first);
});

it("reports why an image can't be decoded, and continues with the others", async () => {
  const shrinkProcess = createShrinkProcess({ idleMs: 1 });
  const original = await jpeg(64, 48);
  const jobs = [await jobFor(original.subarray(0, 300)), await jobFor(original)];
  const [broken, whole] = await Promise.allSettled(jobs.map((job) => shrinkProcess.shrink(job)));
  expect(broken).toMatchObject({ status: "rejected", reason: { message: expect.stringMatching(/jpeg/i) } });
  expect(whole?.status).toBe("fulfilled");
});

it("reports the full reason for each if several can't be decoded concurrently", async () => {
  const shrinkProcess = createShrinkProcess();
  const broken = await jobFor((await jpeg(64, 48)).subarray(0, 300));
  const reasonOf = async () => messageOf(await shrinkProcess.shrink(broken).catch((error: unknown) => error));
  const alone = await reasonOf();
  const together = await Promise.all(Array.from({ length: 20 }, reasonOf));
  expect(new Set(together)).toEqual(new Set([alone]));
});

it("isn't stopped while working after concurrent jobs", async () => {
  const program = createProgram<ShrinkJob, ShrinkResult>(PROGRAM, { execArgv: ["--expose-gc"], idleMs: 20 });
  const original = await jpeg(600, 400);
  const [whole, broken] = [await jobFor(original), await jobFor(original.subarray(0, 300))];
  for (let round = 0; round < 3; round += 1) {
    await Promise.allSettled(Array.from({ length: 8 }, () => program.run(broken)));
    expect(await program.run(whole)).toEqual({ kind: "written" });
  }
});

it("completes all images if its process is killed", async () => {
  const shrinkProcess = createShrinkProcess({ idleMs: 1 });
  const jobs = await Promise.all([jobFor(await jpeg(800, 500)), jobFor(await jpeg(700, 500))]);
  const others = programs();
  const images = Promise.all(jobs.map((job) => shrinkProcess.shrink(job)));
  await killProgram(others);
  await images;
  const made = await Promise.all(jobs.map(({ entry }) => readEntry(entry)));
  expect(made.map((image) => image?.width)).toEqual([800, 700]);
});

it("skips an image that also kills the process alone, and reports the reason", async () => {
  const shrinkProcess = createShrinkProcess({ idleMs: 1 });
  const job = await jobFor(await jpeg(800, 500));
  const others = programs();
  const [outcome] = await Promise.all([
    Promise.allSettled([shrinkProcess.shrink(job)]),
    killProgram(others).then(async () => {
      await expect.poll(() => shrinkProcess.isRunning()).toBe(false);
      await killProgram(others);
    }),
  ]);
  expect(outcome[0]).toMatchObject({ reason: { message: "its process ended (SIGKILL)" } });
});

import { spawn, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, renameSync, rmdirSync, rmSync, statfsSync } from "node:fs";
import { cp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, inject, it } from "vitest";
import { passOn } from "./proxy.ts";
import { sumUp, tryRun, type PlacedVerdict, type Verdict } from "./verdict.ts";
import { copyProject, createVirtualTime, describeService, openSetting, run, type Setting } from "./world.ts";

const PAGES = 12;
const DAY_MS = 86_400_000;

let setting: Setting;
beforeAll(async () => {
  setting = await openSetting(inject("world"), PAGES);
});
afterAll(() => setting.close());

// Leaves space for SQLite's files, but only for a few records.
const SMALL_DISK_BYTES = 160 * 1024;
const LARGE_DISK_BYTES = 64 * 1024 * 1024;

it("a disk that fills up during a run does no harm", async ({ task, skip }) => {
  skip(!mayMount(), "This user may not mount a disk here. Run it as root, in a container with CAP_SYS_ADMIN.");
  const verdicts: PlacedVerdict[] = [];
  for (const place of ["imprint.lock.json", ".imprint early", ".imprint late"]) {
    verdicts.push({ ...(await tryFullDisk(place)), place });
  }
  const row = sumUp("disk full", verdicts);
  task.meta.faultRows = [row];
  expect(row).toMatchObject({ cell: `0 + ${verdicts.length}`, wrong: [] });
});

function tryFullDisk(place: string): Promise<Verdict> {
  const { proxy } = setting;
  return tryRun(setting, {
    connection: createVirtualTime(),
    begin(root) {
      // The disk fills up while the service is read, or while pages are sent.
      const fillsUp = place.endsWith("late") ? 12 : 3;
      const fill = place.startsWith(".imprint") ? fillDisk(join(root, ".imprint")) : fillLockDisk(root);
      proxy.meddle(({ number, answer, forward }) =>
        number !== fillsUp ? undefined : fill().then(async () => passOn(answer, await forward())),
      );
    },
    async end(root) {
      // Frees space first, for copies of the inner disk's content.
      await rm(join(root, "filling"), { force: true });
      await freeDisk(join(root, ".imprint"));
      if (!place.startsWith(".imprint")) await freeDisk(root);
    },
  });
}

/** Mounted disks, each with a function that unmounts it however this process ends. */
const disks = new Map<string, () => void>();
afterEach(() => {
  for (const folder of [...disks.keys()].toReversed()) unmount(folder);
});

function mayMount(): boolean {
  const folder = mkdtempSync(join(tmpdir(), "imprint-disk-"));
  const isMounted = tryMount(folder, SMALL_DISK_BYTES).status === 0;
  if (isMounted) unmount(folder);
  rmdirSync(folder);
  return isMounted;
}

function tryMount(folder: string, bytes: number) {
  const mounting = spawnSync("mount", ["-t", "tmpfs", "-o", `size=${bytes}`, "tmpfs", folder]);
  if (mounting.status !== 0) return mounting;
  // Its input ends with this process, even if that is killed.
  const unmounter = spawn("sh", ["-c", 'cat > /dev/null; umount --lazy "$0"', folder], {
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
  });
  unmounter.unref();
  disks.set(folder, () => unmounter.stdin.end());
  return mounting;
}

function unmount(folder: string): void {
  const { status, stderr } = spawnSync("umount", ["--lazy", folder]);
  if (status !== 0) throw new Error(`${folder} can't be unmounted: ${stderr}`);
  disks.get(folder)?.();
  disks.delete(folder);
}

/** Puts a project and its `.imprint/` on separate disks; returns a function that fills the first. */
function fillLockDisk(root: string): () => Promise<void> {
  const aside = `${root}.copied`;
  renameSync(root, aside);
  const fill = fillDisk(root, LARGE_DISK_BYTES);
  fillDisk(join(root, ".imprint"), LARGE_DISK_BYTES);
  cpSync(aside, root, { recursive: true });
  rmSync(aside, { recursive: true });
  return fill;
}

/** Puts a folder on its own disk; returns a function that fills it. */
function fillDisk(folder: string, bytes = SMALL_DISK_BYTES): () => Promise<void> {
  mkdirSync(folder, { recursive: true });
  const { status, stderr } = tryMount(folder, bytes);
  if (status !== 0) throw new Error(`No disk can be mounted at ${folder}: ${stderr}`);
  return async () => {
    await writeFile(join(folder, "filling"), Buffer.alloc(bytes)).catch(() => {});
    expect.soft(statfsSync(folder).bavail, `room on ${folder}`).toBe(0);
  };
}

/** Moves the folder, with what a run left in it, off its small disk. */
async function freeDisk(folder: string): Promise<void> {
  await rm(join(folder, "filling"), { force: true });
  await cp(folder, `${folder}.aside`, { recursive: true });
  unmount(folder);
  await cp(`${folder}.aside`, folder, { recursive: true });
  await rm(`${folder}.aside`, { recursive: true });
}

it("a clock that jumps back and forth by days does no harm", async ({ task }) => {
  const verdicts = [
    { ...(await tryClock(DAY_MS)), place: "forwards first" },
    { ...(await tryClock(-DAY_MS)), place: "backwards first" },
  ];
  const row = sumUp("clock jumps", verdicts);
  task.meta.faultRows = [row];
  expect(row).toMatchObject({ cell: "2 + 0", wrong: [] });
});

function tryClock(jumpMs: number): Promise<Verdict> {
  const { proxy } = setting;
  let jumps = 0;
  const now = () => Date.now() + (-1) ** jumps++ * jumps * jumpMs;
  return tryRun(setting, {
    connection: { ...createVirtualTime(), now },
    // A wrong clock misinterprets absolute dates to wait for.
    begin: () =>
      proxy.meddle(({ number, answer }) => {
        if (number % 3 !== 0) return undefined;
        answer.writeHead(429, { "retry-after": new Date(Date.now() + 1000).toUTCString() }).end();
        return Promise.resolve();
      }),
  });
}

it("a project whose state was deleted creates no duplicates, and rewrites no page that it can read", async ({
  task,
}) => {
  const { service, proxy, template, world, undisturbed } = setting;
  await setting.restore();
  const { root, remove } = await copyProject(template);
  const publish = () => run({ root, baseUrl: proxy.url, apiKey: service.apiKey, connection: createVirtualTime() });
  await publish();
  for (const memory of ["imprint.lock.json", ".imprint"]) await rm(join(root, memory), { recursive: true });
  const writes: string[] = [];
  proxy.meddle(({ method, path }) => {
    if (method !== "GET") writes.push(`${method} ${path}`);
    return undefined;
  });
  const report = await publish();
  proxy.meddle(() => undefined);
  const held = await describeService(service);
  await remove();
  const rewritten = writes.filter((write) => write.includes("/api/pages"));
  const duplicates = held.split("\n").length - undisturbed.split("\n").length;
  const wrong = [
    ...(world.strict ? [] : writes).map((write) => `sent ${write}`),
    ...(held === undisturbed ? [] : ["the service holds something else"]),
    ...(report.exitCode === 0 ? [] : ["the run fails"]),
  ];
  task.meta.faultRows = [
    { name: "state deleted: pages rewritten", cell: `${rewritten.length}/${PAGES}`, wrong },
    { name: "state deleted: duplicates", cell: `${duplicates}`, wrong: [] },
  ];
  expect({ wrong, duplicates }).toEqual({ wrong: [], duplicates: 0 });
});

// Keeps the tests' temporary files in memory if there is room. Projects and services wait for the disk after each write
// to survive a power loss, which no test simulates.
import { mkdir, readdir, readFile, rm, statfs } from "node:fs/promises";
import { join } from "node:path";

const MEMORY = "/dev/shm";
const NAME = "imprint-tests-";
const ROOM_BYTES = 4 * 2 ** 30;

/** Sets such a folder for everything that the run starts; returns a function that removes it. */
export async function setup(): Promise<(() => Promise<void>) | undefined> {
  if (!(await hasRoom())) return undefined;
  await removeLeft();
  const folder = join(MEMORY, `${NAME}${process.pid}`);
  await mkdir(folder);
  process.env["TMPDIR"] = folder;
  process.env["IMPRINT_TEST_IMAGES"] = join(folder, "images");
  return () => rm(folder, { recursive: true, force: true });
}

async function hasRoom(): Promise<boolean> {
  const mounts = await readFile("/proc/mounts", "utf8").catch(() => "");
  // Tests run programs that they install, so `noexec` isn't possible.
  if (!mounts.includes(` ${MEMORY} tmpfs `) || / \/dev\/shm tmpfs \S*\bnoexec\b/.test(mounts)) return false;
  const { bavail, bsize } = await statfs(MEMORY);
  return bavail * bsize >= ROOM_BYTES;
}

/** Removes the folders of killed runs. */
async function removeLeft(): Promise<void> {
  const left = (await readdir(MEMORY)).filter((name) => name.startsWith(NAME) && !isAtWork(name.slice(NAME.length)));
  await Promise.all(left.map((name) => rm(join(MEMORY, name), { recursive: true, force: true })));
}

function isAtWork(pid: string): boolean {
  try {
    return process.kill(Number(pid), 0);
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

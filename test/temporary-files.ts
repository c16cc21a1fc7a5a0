// The tests' temporary files stand in memory where there is room. Projects and services wait for the disk after each
// write, so that it outlives a loss of power, and no test cuts the power.
import { mkdir, readdir, readFile, rm, statfs } from "node:fs/promises";
import { join } from "node:path";

const MEMORY = "/dev/shm";
const NAME = "imprint-tests-";
const ROOM_BYTES = 4 * 2 ** 30;

/** Names such a folder to everything that the run starts; gives what removes it. */
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
  // Tests start programs that they install.
  if (!mounts.includes(` ${MEMORY} tmpfs `) || / \/dev\/shm tmpfs \S*\bnoexec\b/.test(mounts)) return false;
  const { bavail, bsize } = await statfs(MEMORY);
  return bavail * bsize >= ROOM_BYTES;
}

/** A run that was killed left its folder. */
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

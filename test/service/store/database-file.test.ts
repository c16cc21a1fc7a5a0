import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, readFile, rm, stat, truncate, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, it, onTestFinished } from "vitest";
import { SILENT_LOGGER } from "../../../src/base/log.ts";
import { backupService, createService, restoreService, startService, type StartOptions } from "../../../src/service.ts";
import { isOnPostgres } from "../backend.ts";
import { clientOf } from "../open-service.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const EMPTIED = { code: "STATE_UNREADABLE", hint: expect.stringContaining("imprint restore <file> --force") };

/** The data folder of a closed service with a page and a library file. */
async function usedFolder(): Promise<string> {
  const dataDir = join(await temporaryFolder(), "data");
  const service = createService({ dataDir });
  const send = clientOf(service, { routeSet: "a" });
  await send("PUT", "/api/pages/one", { json: { html: "<!doctype html><p>One" } });
  await service.close();
  return dataDir;
}

async function start(options: StartOptions) {
  const service = await startService({ port: 0, pagesPort: 0, background: false, ...options });
  onTestFinished(() => service.close());
  await service.runJobs();
  return service;
}

const pages = async (service: Awaited<ReturnType<typeof start>>) =>
  (await clientOf(service, { routeSet: "a" })("GET", "/api/pages")).items.length;

it.skipIf(isOnPostgres).each([
  ["emptied", (file: string) => truncate(file)],
  ["missing", (file: string) => rm(file)],
  [
    "without tables",
    async (file: string) => {
      await rm(file);
      const database = new DatabaseSync(file);
      database.exec("pragma journal_mode = wal");
      database.close();
    },
  ],
])("a service whose database is %s doesn't start as an empty one", async (_, lose) => {
  const dataDir = await usedFolder();
  await lose(join(dataDir, "service.sqlite"));
  await expect(start({ dataDir }).then(pages)).rejects.toMatchObject(EMPTIED);
  // Nothing was created that the next start would mistake for a service.
  await expect(start({ dataDir }).then(pages)).rejects.toMatchObject(EMPTIED);
  expect(await pages(await start({ dataDir, startsEmpty: true }))).toBe(0);
});

it.skipIf(isOnPostgres)("a library file alone prevents an empty start, even if the id was never written", async () => {
  const dataDir = await usedFolder();
  await rm(join(dataDir, "service.sqlite"));
  await rm(join(dataDir, "service.id"));
  await mkdir(join(dataDir, "blobs", "ab"), { recursive: true });
  await writeFile(join(dataDir, "blobs", "ab", "ab12"), "bytes");
  await expect(start({ dataDir }).then(pages)).rejects.toMatchObject(EMPTIED);
});

it.skipIf(isOnPostgres)(
  "a service from before database ids starts, and gets its application id and its id file",
  async () => {
    const dataDir = await usedFolder();
    const database = new DatabaseSync(join(dataDir, "service.sqlite"));
    database.exec("pragma application_id = 0; pragma user_version = 0");
    database.close();
    await rm(join(dataDir, "service.id"));
    expect(await pages(await start({ dataDir }))).toBe(1);
    const read = new DatabaseSync(join(dataDir, "service.sqlite"), { readOnly: true });
    onTestFinished(() => read.close());
    const id = Number(read.prepare("pragma user_version").get()?.["user_version"]);
    expect(read.prepare("pragma application_id").get()).toEqual({ application_id: 0x49_6d_70_72 });
    expect([id > 0, await readFile(join(dataDir, "service.id"), "utf8")]).toEqual([true, `${id}\n`]);
    expect((await stat(join(dataDir, "service.id"))).mode & 0o777).toBe(0o600);
  },
);

it.skipIf(isOnPostgres)("a database of another program is left unchanged", async () => {
  const dataDir = await temporaryFolder();
  const database = new DatabaseSync(join(dataDir, "service.sqlite"));
  database.exec("pragma application_id = 42; create table theirs (name text)");
  database.close();
  await expect(start({ dataDir }).then(pages)).rejects.toMatchObject({
    code: "STATE_UNREADABLE",
    message: expect.stringContaining("another program"),
  });
});

it.skipIf(isOnPostgres)(
  "lost data can be restored from a backup, and a different database is reported once",
  async () => {
    const dataDir = await usedFolder();
    const file = join(await temporaryFolder(), "backup.tar.gz");
    await backupService({ dataDir, file });
    await truncate(join(dataDir, "service.sqlite"));
    await restoreService({ dataDir, file, existing: "keep-aside" });
    const warnings: string[] = [];
    const logger = { ...SILENT_LOGGER, warn: (message: string) => void warnings.push(message) };
    const restored = await start({ dataDir, logger });
    expect([await pages(restored), warnings]).toEqual([1, []]);
    await restored.close();
    const other = await usedFolder();
    await writeFile(join(dataDir, "service.sqlite"), await readFile(join(other, "service.sqlite")));
    await (await start({ dataDir, logger })).close();
    await (await start({ dataDir, logger })).close();
    expect(warnings).toEqual([expect.stringContaining("not the database that was here before")]);
  },
);

it.skipIf(isOnPostgres)("leftovers of a killed restore are removed, and those of a running one stay", async () => {
  const dataDir = await usedFolder();
  const child = spawn(process.execPath, ["-e", ""]);
  await once(child, "exit");
  const [left, running, old] = [`restoring-${child.pid}-a`, `restoring-${process.pid}-b`, "restoring-0bd1"];
  for (const name of [left, running, old]) {
    await mkdir(join(dataDir, name, "blobs"), { recursive: true });
    await writeFile(join(dataDir, name, "blobs", "file"), "bytes");
  }
  await utimes(join(dataDir, old), 0, 0);
  const service = await start({ dataDir });
  expect((await readdir(dataDir)).filter((name) => name.startsWith("restoring-"))).toEqual([running]);
  await service.close();
});

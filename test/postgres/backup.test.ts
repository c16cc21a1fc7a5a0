import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Client } from "pg";
import { expect, it, onTestFinished } from "vitest";
import { backupService } from "../../src/service/archive/backup.ts";
import { restoreService } from "../../src/service/archive/restore.ts";
import { latestVersion } from "../../src/service/store/migrate.ts";
import { openStore } from "../../src/service/store/open-store.ts";
import { BLOB, BLOB_HASH, makeOldDatabase, readTables, RELEASED_SCHEMAS } from "../service/store/old-database.ts";
import { temporaryFolder } from "../service/temporary-folder.ts";
import { freshBucket, freshSchemaUrl, serverUrl } from "./servers.ts";

/** A backup of a SQLite service with rows in every table of its schema. */
async function sqliteBackup(schema: number) {
  const folder = await temporaryFolder();
  const dataDir = join(folder, "data");
  const rows = await makeOldDatabase(join(dataDir, "service.sqlite"), schema);
  await mkdir(join(dataDir, "blobs", BLOB_HASH.slice(0, 2)), { recursive: true });
  await writeFile(join(dataDir, "blobs", BLOB_HASH.slice(0, 2), BLOB_HASH), BLOB);
  const file = join(folder, "b.tar.gz");
  await backupService({ file, dataDir });
  return { folder, file, rows };
}

it.each(RELEASED_SCHEMAS)(
  "moves a service with schema %i from SQLite to PostgreSQL and back without losing anything",
  async (schema) => {
    const { folder, file, rows } = await sqliteBackup(schema);
    const databaseUrl = freshSchemaUrl();
    const blobs = { s3: freshBucket() };
    const there = await restoreService({ file, databaseUrl, blobs, dataDir: join(folder, "there") });
    expect(there.schemaVersion).toEqual({ from: schema, to: latestVersion() });

    const second = join(folder, "second.tar.gz");
    const saved = await backupService({ file: second, databaseUrl, blobs, dataDir: join(folder, "there") });
    expect(saved).toMatchObject({ blobs: 1, missingBlobs: [] });
    const back = join(folder, "back");
    await restoreService({ file: second, dataDir: back });
    expect(readTables(join(back, "service.sqlite"), rows)).toEqual(rows);
    expect(await readFile(join(back, "blobs", BLOB_HASH.slice(0, 2), BLOB_HASH))).toEqual(Buffer.from(BLOB));
  },
);

it("reports files missing from a bucket and saves everything else", async () => {
  const { folder, file } = await sqliteBackup(3);
  const place = { databaseUrl: freshSchemaUrl(), dataDir: join(folder, "there") };
  await restoreService({ ...place, file, blobs: { s3: freshBucket() } });
  const second = join(folder, "second.tar.gz");
  const saved = await backupService({ ...place, file: second, blobs: { s3: freshBucket() } });
  expect(saved).toMatchObject({ blobs: 0, missingBlobs: [BLOB_HASH] });
});

it("rejects a database with records, and with the option to replace it, keeps the old data aside", async () => {
  const { folder, file } = await sqliteBackup(3);
  const place = { file, databaseUrl: freshSchemaUrl(), dataDir: join(folder, "there") };
  await restoreService(place);
  await expect(restoreService(place)).rejects.toMatchObject({ code: "RESTORE_REFUSED" });
  const { keptAside } = await restoreService({ ...place, existing: "keep-aside" });
  const client = new Client(serverUrl());
  await client.connect();
  onTestFinished(() => client.end());
  const { rows } = await client.query(`select slug from ${keptAside}.page order by slug`);
  expect(rows).toEqual([{ slug: "draft" }, { slug: "index" }]);
});

it("replaces a service that was only started, and leaves no schema behind if a backup is damaged", async () => {
  const { folder, file } = await sqliteBackup(3);
  const databaseUrl = freshSchemaUrl();
  const dataDir = join(folder, "there");
  await (await openStore({ dataDir, databaseUrl, now: new Date() })).close();
  expect((await restoreService({ file, databaseUrl, dataDir })).keptAside).toBeUndefined();
  await writeFile(file, (await readFile(file)).subarray(0, -100));
  const again = restoreService({ file, databaseUrl, dataDir, existing: "keep-aside" });
  await expect(again).rejects.toMatchObject({ code: "BACKUP_DAMAGED" });
  const client = new Client(serverUrl());
  await client.connect();
  onTestFinished(() => client.end());
  const { rows } = await client.query("select nspname from pg_namespace where nspname like '%restoring%'");
  expect(rows).toEqual([]);
});

it("reports an empty database without a service, or no database at all", async () => {
  const file = join(await temporaryFolder(), "b");
  await expect(backupService({ file, databaseUrl: freshSchemaUrl() })).rejects.toMatchObject({
    code: "STATE_UNREADABLE",
  });
  const databaseUrl = "postgres://nobody@127.0.0.1:1/none";
  await expect(backupService({ file, databaseUrl })).rejects.toMatchObject({ code: "STORAGE_UNREACHABLE" });
});

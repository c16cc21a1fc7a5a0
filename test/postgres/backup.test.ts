import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Client } from "pg";
import { expect, it, onTestFinished } from "vitest";
import { backupService } from "../../src/service/archive/backup.ts";
import { restoreService } from "../../src/service/archive/restore.ts";
import { latestVersion } from "../../src/service/store/migrate.ts";
import { openStore } from "../../src/service/store/open-store.ts";
import { BLOB, BLOB_HASH, makeOldDatabase, readTables, RELEASED_SCHEMAS } from "../service/store/old-database.ts";
import { signIn } from "../service/dashboard/signed-in.ts";
import { clientOf, openRunningService } from "../service/open-service.ts";
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

it("moves people with their invitations and sessions to another database, and to SQLite", async () => {
  const folder = await temporaryFolder();
  const [dataDir, file] = [join(folder, "data"), join(folder, "b.tar.gz")];
  const from = { databaseUrl: freshSchemaUrl(), blobs: { s3: freshBucket() } };
  const service = await openRunningService({ ephemeral: false, dataDir, ...from });
  const { get } = await signIn(service);
  const { status } = await clientOf(service, { routeSet: "a" })("POST", "/api/users", {
    json: { email: "ida@example.org", role: "editor" },
  });
  expect([status, (await get("/people")).status]).toEqual([201, 200]);
  await backupService({ file, dataDir, ...from });

  const to = { databaseUrl: freshSchemaUrl(), blobs: { s3: freshBucket() } };
  await restoreService({ file, dataDir, ...to });
  const again = join(folder, "again.tar.gz");
  await backupService({ file: again, dataDir, ...to });
  const sqlite = join(folder, "sqlite");
  await restoreService({ file: again, dataDir: sqlite });
  const database = new DatabaseSync(join(sqlite, "service.sqlite"), { readOnly: true });
  onTestFinished(() => database.close());
  const { links } = { ...database.prepare("select count(*) as links from sign_in_link").get() };
  expect(database.prepare("select email from account_user where email is not null").all()).toEqual([
    expect.objectContaining({ email: "ida@example.org" }),
  ]);
  expect(Number(links)).toBeGreaterThan(0);

  const client = new Client(serverUrl());
  await client.connect();
  onTestFinished(() => client.end());
  const schema = new URL(to.databaseUrl).searchParams.get("schema");
  const orphans = client.query(`update ${schema}.session set user_id = 'usr_nobody'`);
  await expect(orphans).rejects.toThrow(/foreign key/);
});

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

import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { gunzipSync, gzipSync } from "node:zlib";
import fc from "fast-check";
import { packTar, unpackTar } from "modern-tar";
import { describe, expect, it, onTestFinished } from "vitest";
import { backupService, restoreService, startService, type RunningService } from "../../../src/service.ts";
import { latestVersion } from "../../../src/service/store/migrate.ts";
import { clientOf, fileForm, visit } from "../open-service.ts";
import { BLOB, BLOB_HASH, makeOldDatabase, readTables, RELEASED_SCHEMAS } from "../store/old-database.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const CLI = fileURLToPath(new URL("../../../dist/cli.js", import.meta.url));

async function open(dataDir: string): Promise<RunningService> {
  const service = await startService({ dataDir, port: 0, pagesPort: 0 });
  onTestFinished(() => service.close());
  return service;
}

/** The folder of a closed service with an old schema and rows in every table, and a backup of it. */
async function oldBackup(schema: number) {
  const folder = await temporaryFolder();
  const dataDir = join(folder, "data");
  const rows = await makeOldDatabase(join(dataDir, "service.sqlite"), schema);
  await mkdir(join(dataDir, "blobs", BLOB_HASH.slice(0, 2)), { recursive: true });
  await writeFile(join(dataDir, "blobs", BLOB_HASH.slice(0, 2), BLOB_HASH), BLOB);
  const file = join(folder, "backup.tar.gz");
  const backup = await backupService({ file, dataDir });
  return { ...{ folder, dataDir, rows, file, backup }, place: join(folder, "restored") };
}

async function foldersIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
}

describe("a backup", () => {
  it("of a running service restores pages, files, posts, and keys unchanged", async () => {
    const folder = await temporaryFolder();
    const service = await open(join(folder, "data"));
    const { apiKey } = await service.createKey({ name: "ci" });
    const send = clientOf(service, { routeSet: "a" });
    await send("PUT", "/api/pages/index", { json: { html: "<h1>Ünï</h1>", title: "Home" } });
    await send("POST", "/api/library", { form: fileForm(["note.txt", "a note"]) });
    await send("POST", "/api/blogs", { json: { name: "Blog" } });
    await send("POST", "/api/blogs/blog/posts", { json: { slug: "one", title: "One", markdown: "*1*" } });
    const backup = await backupService({ file: join(folder, "b.tar.gz"), dataDir: join(folder, "data") });
    expect(backup).toMatchObject({ blobs: 1, missingBlobs: [], schemaVersion: latestVersion() });
    expect((await stat(backup.file)).mode & 0o777).toBe(0o600);

    await restoreService({ file: backup.file, dataDir: join(folder, "restored") });
    const restored = await open(join(folder, "restored"));
    const ask = clientOf(restored, { routeSet: "a" });
    for (const path of ["/api/pages/index?include=html", "/api/blogs", "/api/blogs/blog/posts?include=content"]) {
      const [before, after] = [await send("GET", path), await ask("GET", path, { apiKey })];
      // Only the ports of the two services differ.
      const portless = (text: string) => text.replaceAll(/:\d{4,5}\b/g, "");
      expect([after.status, portless(after.text)]).toEqual([200, portless(before.text)]);
    }
    const [file] = (await ask("GET", "/api/library")).items;
    const bytes = await visit(restored, new URL(String(file?.["url"])).pathname);
    expect(await bytes.text()).toBe("a note");
    expect((await ask("GET", "/api/audit?action=backup.restored", { apiKey })).items).toMatchObject([
      { actor: "the service", subject: "b.tar.gz", detail: expect.stringMatching(/^as of 20/) },
    ]);
  });

  it("is a consistent snapshot of a service under constant writes", async () => {
    const folder = await temporaryFolder();
    const dataDir = join(folder, "data");
    const service = await open(dataDir);
    const send = clientOf(service, { routeSet: "a", transport: "over HTTP" });
    const acknowledged: string[] = [];
    let isOver = false;
    const writing = (async () => {
      for (let number = 0; !isOver; number++) {
        const { status } = await send("PUT", `/api/pages/p-${number}`, { json: { html: `<p>${"x".repeat(20_000)}` } });
        if (status === 201) acknowledged.push(`p-${number}`);
      }
    })();
    while (acknowledged.length < 50) await send("GET", "/api/pages");
    const before = [...acknowledged];
    const file = join(folder, "b.tar.gz");
    await promisify(execFile)(process.execPath, [CLI, "backup", file, "--data", dataDir, "--json"]);
    const during = acknowledged.length - before.length;
    isOver = true;
    await writing;

    await restoreService({ file, dataDir: join(folder, "restored") });
    const database = new DatabaseSync(join(folder, "restored", "service.sqlite"));
    onTestFinished(() => database.close());
    const slugs = new Set(
      database
        .prepare("select slug from page")
        .all()
        .map(({ slug }) => slug),
    );
    expect(before.filter((slug) => !slugs.has(slug))).toEqual([]);
    expect(during).toBeGreaterThan(0);
    // One transaction writes a page, its content, and its event: a backup has all three or none.
    for (const table of ["page_html", "event"]) {
      expect(database.prepare(`select count(*) as rows from ${table}`).get()).toEqual({ rows: slugs.size });
    }
  });

  it("reports lost or damaged library files and saves everything else", async () => {
    const { dataDir, file, folder, rows } = await oldBackup(3);
    const blob = join(dataDir, "blobs", BLOB_HASH.slice(0, 2), BLOB_HASH);
    await writeFile(blob, "other");
    expect((await backupService({ file, dataDir })).missingBlobs).toEqual([BLOB_HASH]);
    await rm(blob);
    expect(await backupService({ file, dataDir })).toMatchObject({ blobs: 0, missingBlobs: [BLOB_HASH] });
    await restoreService({ file, dataDir: join(folder, "again") });
    expect(readTables(join(folder, "again", "service.sqlite"), rows)).toEqual(rows);
  });

  it("isn't written if there is no service, or over a file that isn't a backup", async () => {
    const folder = await temporaryFolder();
    const file = join(folder, "package.json");
    await writeFile(file, "{}");
    await expect(backupService({ file: join(folder, "b"), dataDir: folder })).rejects.toMatchObject({
      code: "STATE_UNREADABLE",
    });
    await makeOldDatabase(join(folder, "service.sqlite"), 1);
    await expect(backupService({ file, dataDir: folder })).rejects.toMatchObject({ code: "USAGE" });
    expect(await readFile(file, "utf8")).toBe("{}");
    await expect(backupService({ file: join(folder, "none", "b"), dataDir: folder })).rejects.toMatchObject({
      code: "BACKUP_INCOMPLETE",
    });
  });

  it("whose process is killed leaves the previous backup and the service intact", async () => {
    const { dataDir, file, place, rows, folder } = await oldBackup(3);
    const former = await readFile(file);
    const database = new DatabaseSync(join(dataDir, "service.sqlite"));
    const html = new Uint8Array(4_000_000).map((_, index) => (index * 7919) % 251);
    for (let number = 0; number < 12; number++) {
      database
        .prepare(
          "insert into page select ?, account_id, ?, title, status, site_id, description, content_hash, bytes, version, created_at, updated_at, published_at from page where id = 'pg_1'",
        )
        .run(`pg_x${number}`, `x-${number}`);
      database.prepare("insert into page_html values (?, ?)").run(`pg_x${number}`, html);
    }
    database.close();
    const child = spawn(process.execPath, [CLI, "backup", file, "--data", dataDir], { stdio: "ignore" });
    const isUnderWay = async () => (await readdir(folder)).some((name) => name.endsWith(".partial"));
    while (!(await isUnderWay()) && child.exitCode === null) await new Promise(setImmediate);
    child.kill("SIGKILL");
    await once(child, "exit");
    expect([child.signalCode, await isUnderWay()]).toEqual(["SIGKILL", true]);
    expect(await readFile(file)).toEqual(former);
    await restoreService({ file, dataDir: place });
    expect(readTables(join(place, "service.sqlite"), rows)).toEqual(rows);
    // Leftovers of the killed process don't block the next backup.
    expect((await backupService({ file, dataDir })).rows).toBeGreaterThan(24);
  });

  it("that is interrupted leaves no files behind", async () => {
    const { dataDir, folder } = await oldBackup(2);
    const file = join(folder, "second.tar.gz");
    const signal = AbortSignal.abort();
    await expect(backupService({ file, dataDir, signal })).rejects.toMatchObject({ code: "ABORTED" });
    expect((await readdir(folder)).filter((name) => name.includes("second"))).toEqual([]);
  });
});

describe("a restore", () => {
  it.each(RELEASED_SCHEMAS)("of a backup with schema %i migrates the database and loses nothing", async (schema) => {
    const { file, place, rows, backup } = await oldBackup(schema);
    expect(backup.schemaVersion).toBe(schema);
    const restored = await restoreService({ file, dataDir: place });
    expect(restored.schemaVersion).toEqual({ from: schema, to: latestVersion() });
    expect(readTables(join(place, "service.sqlite"), rows)).toEqual(rows);
    expect(await readFile(join(place, "blobs", BLOB_HASH.slice(0, 2), BLOB_HASH))).toEqual(Buffer.from(BLOB));
  });

  it("rejects a service with records, and with the option to replace it, keeps the old data aside", async () => {
    const { dataDir, file, rows } = await oldBackup(3);
    await expect(restoreService({ file, dataDir })).rejects.toMatchObject({ code: "RESTORE_REFUSED" });
    const { keptAside } = await restoreService({ file, dataDir, existing: "keep-aside" });
    expect(readTables(join(keptAside ?? "", "service.sqlite"), rows)).toEqual(rows);
    expect(await foldersIn(keptAside ?? "")).toEqual(["blobs"]);
    expect(readTables(join(dataDir, "service.sqlite"), rows)).toEqual(rows);
  });

  it("rejects a running service, even with the option to replace it", async () => {
    const { file, place } = await oldBackup(3);
    const service = await open(place);
    await expect(restoreService({ file, dataDir: place, existing: "keep-aside" })).rejects.toMatchObject({
      code: "RESTORE_REFUSED",
      message: expect.stringContaining("is running"),
    });
    expect((await clientOf(service, { routeSet: "a" })("GET", "/api/pages")).status).toBe(200);
  });

  it("replaces a service that was only started", async () => {
    const { file, place, rows } = await oldBackup(3);
    await (await open(place)).close();
    expect((await restoreService({ file, dataDir: place })).keptAside).toBeUndefined();
    expect(readTables(join(place, "service.sqlite"), rows)).toEqual(rows);
    expect(await foldersIn(place)).toEqual(["blobs"]);
  });

  it("replaces a damaged database", async () => {
    const { dataDir, file, rows } = await oldBackup(3);
    await writeFile(join(dataDir, "service.sqlite"), "not a database, but long enough to look like one".repeat(99));
    await restoreService({ file, dataDir, existing: "keep-aside" });
    expect(readTables(join(dataDir, "service.sqlite"), rows)).toEqual(rows);
  });

  it("rejects a backup of a newer version", async () => {
    const { file, place } = await oldBackup(1);
    await rewrite(file, "manifest.json", (text) => text.replace('"schemaVersion": 1', '"schemaVersion": 999'));
    await expect(restoreService({ file, dataDir: place })).rejects.toMatchObject({
      code: "STATE_UNREADABLE",
      hint: expect.stringContaining("Update astro-imprint"),
    });
  });
});

describe("a damaged backup", () => {
  it.each([
    ["a changed row", "rows/page/000001.ndjson", (text: string) => text.replace("index", "xedni")],
    ["a truncated row", "rows/page/000001.ndjson", (text: string) => text.slice(0, -5)],
    ["a changed file", `blobs/${BLOB_HASH}`, (text: string) => text.replace("svg", "gvs")],
    ["missing rows", "rows/delivery/000001.ndjson", () => undefined],
    ["a missing file", `blobs/${BLOB_HASH}`, () => undefined],
    ["no manifest", "manifest.json", () => undefined],
    ["no end", "checksums.json", () => undefined],
  ] as const)("with %s is rejected before anything changes", async (_, name, change) => {
    const { dataDir, file, rows } = await oldBackup(3);
    await rewrite(file, name, change);
    const restore = restoreService({ file, dataDir, existing: "keep-aside" });
    await expect(restore).rejects.toMatchObject({ code: "BACKUP_DAMAGED" });
    expect(await foldersIn(dataDir)).toEqual(["blobs"]);
    expect(readTables(join(dataDir, "service.sqlite"), rows)).toEqual(rows);
  });

  it("is rejected wherever it is truncated, and wherever a significant byte is changed", async () => {
    const { file, folder, rows } = await oldBackup(3);
    const whole = await readFile(file);
    let number = 0;
    const restore = async (bytes: Uint8Array) => {
      const place = join(folder, `place-${number++}`);
      await writeFile(file, bytes);
      await restoreService({ file, dataDir: place });
      return readTables(join(place, "service.sqlite"), rows);
    };
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 }), async (at, change) => {
        await expect(restore(whole.subarray(0, at))).rejects.toMatchObject({ code: "BACKUP_DAMAGED" });
        const changed = whole.map((byte, index) => (index === at ? byte ^ change : byte));
        // The gzip header contains a time and an operating system that nothing reads.
        const outcome = await restore(changed).catch((error: unknown) => error);
        if (!(outcome instanceof Error)) expect(outcome).toEqual(rows);
        else expect(outcome).toMatchObject({ code: "BACKUP_DAMAGED" });
      }),
      { numRuns: 100 },
    );
  });

  it.each([
    ["isn't an archive", Buffer.from("hello"), "incorrect header check"],
    ["is empty", Buffer.alloc(0), "unexpected end of file"],
    ["contains something else", gzipSync("hello"), "can't be read completely: "],
  ] as const)("that %s is rejected", async (_, bytes, reason) => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, "b"), bytes);
    const restore = restoreService({ file: join(folder, "b"), dataDir: join(folder, "place") });
    await expect(restore).rejects.toMatchObject({
      code: "BACKUP_DAMAGED",
      message: expect.stringContaining(reason),
    });
  });
});

/** Changes a part of a backup, or omits it. */
async function rewrite(file: string, name: string, change: (text: string) => string | undefined): Promise<void> {
  const entries = await unpackTar(gunzipSync(await readFile(file)));
  const kept = entries.flatMap(({ header, data }) => {
    if (header.name !== name) return [{ header, data }];
    const text = change(new TextDecoder().decode(data));
    if (text === undefined) return [];
    const bytes = new TextEncoder().encode(text);
    return [{ header: { ...header, size: bytes.length }, data: bytes }];
  });
  await writeFile(file, gzipSync(await packTar(kept)));
}

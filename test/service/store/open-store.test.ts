import { mkdir, readdir, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { sql } from "kysely";
import { describe, expect, it, onTestFinished } from "vitest";
import { LIMITS } from "../../../src/contract/limits.ts";
import { type Context, NO_QUIRKS } from "../../../src/service/resources/context.ts";
import { putPage } from "../../../src/service/resources/pages.ts";
import { asProblem } from "../../../src/service/store/as-problem.ts";
import { createGuardedFetch } from "../../../src/service/guarded-fetch/guarded-fetch.ts";
import { parseNetworks } from "../../../src/service/guarded-fetch/networks.ts";
import { ensureAccount } from "../../../src/service/store/accounts.ts";
import { migrate } from "../../../src/service/store/migrate.ts";
import { openStore, type Store } from "../../../src/service/store/open-store.ts";
import { findPage } from "../../../src/service/store/pages.ts";
import { countRows } from "../../../src/service/store/rows.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const MIGRATIONS = new URL("../../../src/service/store/migrations/", import.meta.url);
const NOW = new Date("2026-01-01T00:00:00Z");

async function open(dataDir: string): Promise<Store> {
  const store = await openStore({ dataDir, now: NOW });
  onTestFinished(() => store.close());
  return store;
}

const DOMAINS: Context["domains"] = {
  check: async () => undefined,
  checkDue: async () => 0,
  wake() {},
  target: { host: "127.0.0.1", addresses: [] },
  hasCertificates: false,
};

async function contextIn(store: Store): Promise<Context> {
  const { id } = await ensureAccount(store.database, { id: "acc_1", name: "Test" }, NOW);
  let number = 0;
  return {
    database: store.database,
    reader: store.reader,
    blobs: store.blobs,
    accountId: id,
    now: NOW,
    plan: "pro",
    limits: LIMITS,
    quirks: NO_QUIRKS,
    addresses: { appUrl: "http://localhost", pagesUrl: "http://127.0.0.1" },
    newId: (prefix) => `${prefix}_${++number}`,
    wakeSender() {},
    wakeSettler: () => {},
    domains: DOMAINS,
    random: (size) => new Uint8Array(size),
    remote: createGuardedFetch({ networks: parseNetworks([]), ownHosts: [] }),
  };
}

describe("the database file", () => {
  it("is readable only by its owner, as are the files beside it", async () => {
    const dataDir = await temporaryFolder();
    const store = await open(dataDir);
    await ensureAccount(store.database, { id: "acc_1", name: "Test" }, NOW);
    const names = (await readdir(dataDir)).filter((name) => name.startsWith("service.sqlite"));
    const modes = await Promise.all(names.map(async (name) => (await stat(join(dataDir, name))).mode & 0o777));
    expect([names.length, modes]).toEqual([3, [0o600, 0o600, 0o600]]);
  });
});

describe("migrations", () => {
  it("create the tables of an empty database and record what was applied", async () => {
    const database = new DatabaseSync(":memory:");
    migrate(database, NOW);
    const applied = database.prepare("select version, name from schema_version order by version").all();
    expect(applied[0]).toEqual({ version: 1, name: "0001-pages-library-blogs.sql" });
    expect(applied.map(({ name }) => name)).toEqual((await readdir(MIGRATIONS)).sort());
    database.close();
  });

  it("don't change an up-to-date database", async () => {
    const dataDir = await temporaryFolder();
    const first = await openStore({ dataDir, now: NOW });
    await putPage(await contextIn(first), { slug: "one", html: "<p>1</p>" }, {});
    await first.close();
    const second = await open(dataDir);
    expect(await findPage(second.database, { accountId: "acc_1", slug: "one" })).toMatchObject({ version: 1 });
  });
});

describe("the database", () => {
  it("rejects two pages with the same slug", async () => {
    const store = await open(await temporaryFolder());
    const context = await contextIn(store);
    await putPage(context, { slug: "one", html: "<p>1</p>" }, {});
    await expect(
      sql`insert into page select 'other', account_id, slug, title, status, site_id, description, content_hash, bytes, version, created_at, updated_at, published_at, release_version from page`.execute(
        store.database,
      ),
    ).rejects.toThrow("UNIQUE");
  });

  it("isolates a transaction from concurrent requests", async () => {
    const store = await open(await temporaryFolder());
    const context = await contextIn(store);
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, (_, index) =>
        store.database.transaction().execute(async (database) => {
          await putPage({ ...context, database }, { slug: `page-${index}`, html: "<p>1</p>" }, {});
          if (index % 2 === 0) throw new Error("undone");
        }),
      ),
    );
    expect(results.filter(({ status }) => status === "rejected")).toHaveLength(10);
    expect(await countRows(store.database, "page", { accountId: "acc_1" })).toBe(10);
  });

  it("stores nothing of a page if it is full, and reports it", async () => {
    const store = await open(await temporaryFolder());
    const context = await contextIn(store);
    await sql`pragma max_page_count = 1`.execute(store.database);
    const writing = store.database
      .transaction()
      .execute((database) => putPage({ ...context, database }, { slug: "one", html: `<p>${"x".repeat(500_000)}` }, {}));
    const error: unknown = await writing.then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(asProblem(error).code).toBe("storage_full");
    expect(await countRows(store.database, "page", { accountId: "acc_1" })).toBe(0);
  });
});

describe("blobs", () => {
  const used = "a".repeat(64);
  const unused = "b".repeat(64);
  const young = "c".repeat(64);

  it("are deleted if unused and older than an hour", async () => {
    const dataDir = await temporaryFolder();
    const { blobs } = await open(dataDir);
    for (const hash of [used, unused, young]) await blobs.write(hash, new Uint8Array([1]));
    const old = new Date(Date.now() - 2 * 3600 * 1000);
    for (const hash of [used, unused]) await utimes(join(dataDir, "blobs", hash.slice(0, 2), hash), old, old);
    await blobs.sweep(async (hash) => hash === used, new Date());
    const names = await readdir(join(dataDir, "blobs"), { recursive: true });
    expect(new Set(names.filter((name) => name.length > 60).map((name) => name.slice(-1)))).toEqual(
      new Set(["a", "c"]),
    );
  });

  it("are deleted if the process ended while writing them", async () => {
    const dataDir = await temporaryFolder();
    const incoming = join(dataDir, "blobs", "incoming");
    await mkdir(incoming, { recursive: true });
    await writeFile(join(incoming, "half"), "x");
    await utimes(join(incoming, "half"), new Date(0), new Date(0));
    const { blobs } = await open(dataDir);
    await blobs.sweep(async () => false, new Date());
    expect(await readdir(incoming)).toEqual([]);
  });

  it("are read back byte for byte", async () => {
    const { blobs } = await open(await temporaryFolder());
    const bytes = Uint8Array.from({ length: 100_000 }, (_, index) => index % 251);
    await blobs.write(used, bytes);
    await blobs.write(used, bytes);
    expect(Buffer.from(await blobs.read(used)).equals(bytes)).toBe(true);
  });
});

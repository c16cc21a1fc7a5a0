import { execFile } from "node:child_process";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { latestVersion } from "../../../src/service/store/migrate.ts";
import { openStore } from "../../../src/service/store/open-store.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { makeOldDatabase, readTables, RELEASED_SCHEMAS } from "./old-database.ts";

const OPENER = fileURLToPath(new URL("./open-and-close.ts", import.meta.url));

function appliedIn(path: string): readonly unknown[] {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    return database
      .prepare("select version from schema_version order by version")
      .all()
      .map(({ version }) => version);
  } finally {
    database.close();
  }
}

async function allVersions(): Promise<readonly number[]> {
  const files = await readdir(new URL("../../../src/service/store/migrations/", import.meta.url));
  return files.map((name) => Number.parseInt(name, 10)).sort((one, other) => one - other);
}

describe("a database of a released version", () => {
  it.each(RELEASED_SCHEMAS)("with schema %i is migrated without losing anything", async (schema) => {
    const dataDir = await temporaryFolder();
    const path = join(dataDir, "service.sqlite");
    const rows = await makeOldDatabase(path, schema);
    const store = await openStore({ dataDir, now: new Date() });
    await store.close();
    expect(readTables(path, rows)).toEqual(rows);
    expect(appliedIn(path)).toEqual(await allVersions());
  });

  it("is migrated once if several processes start at the same time", async () => {
    const dataDir = await temporaryFolder();
    const path = join(dataDir, "service.sqlite");
    const rows = await makeOldDatabase(path, 1);
    const starts = [1, 2, 3].map(() => promisify(execFile)(process.execPath, [OPENER, dataDir]));
    await Promise.all(starts);
    expect(readTables(path, rows)).toEqual(rows);
    expect(appliedIn(path)).toEqual(await allVersions());
  });
});

describe("a database of a newer version", () => {
  it("is rejected with the advice to update, and stays unchanged", async () => {
    const dataDir = await temporaryFolder();
    const path = join(dataDir, "service.sqlite");
    await makeOldDatabase(path, 3);
    const database = new DatabaseSync(path);
    database.prepare("insert into schema_version values (?, ?, ?)").run(latestVersion() + 1, "9999-future.sql", 0);
    database.close();
    await expect(openStore({ dataDir, now: new Date() })).rejects.toMatchObject({
      code: "STATE_UNREADABLE",
      hint: expect.stringContaining("Update astro-imprint"),
    });
    expect(appliedIn(path)).toEqual([1, 2, 3, latestVersion() + 1]);
  });
});

import { sql } from "kysely";
import { describe, expect, it, onTestFinished } from "vitest";
import { openStore } from "../../../src/service/store/open-store.ts";
import type { Database } from "../../../src/service/store/tables.ts";
import { writeTransaction, type WriteScope } from "../../../src/service/store/transactions.ts";
import { isOnPostgres } from "../backend.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const LEVELS: Readonly<Record<number, string>> = { 1: "normal", 2: "full" };

async function levelIn(database: Database): Promise<string | undefined> {
  const { rows } = await sql<{ readonly synchronous: number }>`pragma synchronous`.execute(database);
  return LEVELS[rows[0]?.synchronous ?? -1];
}

async function open(durability?: "normal" | "full") {
  const store = await openStore({
    dataDir: await temporaryFolder(),
    now: new Date(),
    ...(durability && { durability }),
  });
  onTestFinished(() => store.close());
  return store.database;
}

const write = (database: Database, scope: WriteScope) => writeTransaction(database, levelIn, scope);

describe.skipIf(isOnPostgres)("the data at risk in a power failure", () => {
  it("is that of the last moments, except for durable writes", async () => {
    const database = await open();
    expect(await write(database, "shared")).toBe("normal");
    expect(await write(database, "lasting")).toBe("full");
    expect(await write(database, "alone")).toBe("normal");
  });

  it("excludes a group with a durable write in it", async () => {
    const database = await open();
    const scopes = ["shared", "lasting", "shared"] as const;
    expect(await Promise.all(scopes.map((scope) => write(database, scope)))).toEqual(["full", "full", "full"]);
    expect(await levelIn(database)).toBe("normal");
  });

  it("is the same as before after a failed write", async () => {
    const database = await open();
    const fail = () => Promise.reject(new Error("refused"));
    await expect(writeTransaction(database, fail, "lasting")).rejects.toThrow("refused");
    expect(await levelIn(database)).toBe("normal");
    expect(await write(database, "shared")).toBe("normal");
  });

  it("is empty with full durability", async () => {
    const database = await open("full");
    expect([await write(database, "shared"), await write(database, "lasting")]).toEqual(["full", "full"]);
    expect(await levelIn(database)).toBe("full");
  });
});

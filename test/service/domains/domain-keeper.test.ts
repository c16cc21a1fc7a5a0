import { describe, expect, it, onTestFinished } from "vitest";
import { SILENT_LOGGER } from "../../../src/base/log.ts";
import type { DnsFinding } from "../../../src/service/domains/dns-lookup.ts";
import { createDomainChecks } from "../../../src/service/domains/domain-checks.ts";
import { ensureAccount } from "../../../src/service/store/accounts.ts";
import type { Domain } from "../../../src/service/store/domains.ts";
import { findRow, insertRow } from "../../../src/service/store/rows.ts";
import { openStore } from "../../../src/service/store/open-store.ts";
import type { Database } from "../../../src/service/store/tables.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const NOW = new Date("2026-01-01T00:00:00Z");
const HERE: DnsFinding = { control: "proven", routing: { kind: "here" } };

async function openDatabase(dataDir?: string): Promise<Database> {
  const store = await openStore({ dataDir, now: NOW });
  onTestFinished(() => store.close());
  await ensureAccount(store.database, { id: "acc_1", name: "One" }, NOW);
  const other = { id: "acc_2", name: "Two", createdAt: NOW };
  await store.database
    .insertInto("account")
    .values(other)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return store.database;
}

function domain(fields: Partial<Domain>): Domain {
  return {
    ...{ id: "dm_1", accountId: "acc_1", name: "www.example.org", siteId: null, redirectTo: null, token: "t" },
    ...{ status: "pending", error: null, attempts: 0, heldAt: null, missingSince: null, lastCheckedAt: null },
    ...{ nextCheckAt: NOW, createdAt: NOW, updatedAt: NOW },
    ...fields,
  };
}

function checksOf(database: Database, look: (domain: { readonly name: string }) => Promise<DnsFinding>) {
  const checks = createDomainChecks({
    ...{ database, dns: { look }, logger: SILENT_LOGGER, now: () => NOW, isBackground: false },
  });
  onTestFinished(() => checks.close());
  return checks;
}

describe("several workers on one database", () => {
  it("check each domain once, each over its own connection", async () => {
    const dataDir = await temporaryFolder();
    const database = await openDatabase(dataDir);
    const connections = [database, await openDatabase(dataDir), await openDatabase(dataDir)];
    const names = Array.from({ length: 40 }, (_, index) => `d${index}.example.org`);
    for (const name of names) await insertRow(database, "domain", domain({ id: `dm_${name}`, name }));
    const looked: string[] = [];
    const look = async ({ name }: { readonly name: string }) => {
      looked.push(name);
      return HERE;
    };
    const counts = await Promise.all(connections.map((connection) => checksOf(connection, look).runDue()));
    expect(counts.reduce((sum, checked) => sum + checked.length, 0)).toBe(names.length);
    expect(looked.toSorted()).toEqual(names.toSorted());
  });

  it("write nothing for a check that another worker has taken over", async () => {
    const database = await openDatabase();
    await insertRow(database, "domain", domain({}));
    const pending: { readonly late?: Promise<unknown> }[] = [];
    const quick = checksOf(database, async () => HERE);
    const slow = checksOf(database, async () => {
      // During the first check, the owner requests another one.
      pending.push({ late: quick.check("dm_1") });
      await pending[0]?.late;
      return { control: "missing", routing: { kind: "missing" } };
    });
    await slow.runDue();
    const found = await findRow(database, "domain", { accountId: "acc_1", id: "dm_1" });
    expect(found).toMatchObject({ status: "active", attempts: 0, error: null });
  });
});

describe("a domain claimed by two accounts", () => {
  it("belongs to the first account that proves it, until that account releases it", async () => {
    const database = await openDatabase();
    await insertRow(database, "domain", domain({}));
    await insertRow(database, "domain", domain({ id: "dm_2", accountId: "acc_2" }));
    const checks = checksOf(database, async () => HERE);
    expect((await checks.check("dm_2"))?.status).toBe("active");
    const refused = await checks.check("dm_1");
    expect(refused).toMatchObject({
      status: "pending",
      heldAt: null,
      error: expect.stringContaining("Another account"),
    });
    await database.deleteFrom("domain").where("id", "=", "dm_2").execute();
    expect((await checks.check("dm_1"))?.status).toBe("active");
  });

  it("has one owner, even if both prove it at the same moment", async () => {
    const database = await openDatabase();
    await insertRow(database, "domain", domain({}));
    await insertRow(database, "domain", domain({ id: "dm_2", accountId: "acc_2" }));
    const checks = checksOf(database, async () => HERE);
    await Promise.all([checks.check("dm_1"), checks.check("dm_2")]);
    const held = await database.selectFrom("domain").select("id").where("heldAt", "is not", null).execute();
    expect(held).toHaveLength(1);
  });
});

describe("an abandoned domain", () => {
  it("restarts its checks when its owner requests it", async () => {
    const database = await openDatabase();
    await insertRow(database, "domain", domain({ status: "failed", attempts: 95, nextCheckAt: null }));
    const checks = checksOf(database, async () => ({ control: "missing", routing: { kind: "missing" } }));
    expect(await checks.runDue()).toEqual([]);
    expect(await checks.check("dm_1")).toMatchObject({
      ...{ status: "pending", attempts: 1 },
      nextCheckAt: new Date(NOW.getTime() + 60_000),
    });
  });
});

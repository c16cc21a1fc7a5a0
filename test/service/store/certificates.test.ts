import { describe, expect, it, onTestFinished } from "vitest";
import { ensureAccount } from "../../../src/service/store/accounts.ts";
import {
  claimDueOrder,
  findCertificateFiles,
  findCertificates,
  recordFailedOrder,
  saveCertificate,
  type Domain,
} from "../../../src/service/store/domains.ts";
import { openStore } from "../../../src/service/store/open-store.ts";
import { deleteRecord, insertRow } from "../../../src/service/store/rows.ts";
import type { Database } from "../../../src/service/store/tables.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const NOW = new Date("2026-01-01T00:00:00Z");
const HOUR_MS = 60 * 60 * 1000;
const ISSUED = { privateKey: "key", chain: "chain", issuer: "Test", issuedAt: NOW };

async function openDatabase(dataDir: string): Promise<Database> {
  const store = await openStore({ dataDir, now: NOW });
  onTestFinished(() => store.close());
  await ensureAccount(store.database, { id: "acc_1", name: "One" }, NOW);
  return store.database;
}

async function addDomain(database: Database, name: string, status: Domain["status"] = "active"): Promise<void> {
  await insertRow(database, "domain", {
    ...{ id: `dm_${name}`, accountId: "acc_1", name, siteId: null, redirectTo: null, token: "t", status },
    ...{ error: null, attempts: 0, heldAt: NOW, missingSince: null, lastCheckedAt: NOW, nextCheckAt: null },
    ...{ createdAt: NOW, updatedAt: NOW },
  });
}

function claim(database: Database, token: string, at = NOW) {
  return claimDueOrder(database, { now: at, lease: { token, until: new Date(at.getTime() + HOUR_MS) } });
}

describe("certificate orders", () => {
  it("are claimed by one of several processes each, for domains that point here", async () => {
    const dataDir = await temporaryFolder();
    const connections = [await openDatabase(dataDir), await openDatabase(dataDir), await openDatabase(dataDir)];
    const [first] = connections;
    if (first === undefined) throw new Error("There is no database.");
    for (const name of ["a.example", "b.example", "c.example"]) await addDomain(first, name);
    await addDomain(first, "elsewhere.example", "verified");
    const claimed: (string | undefined)[] = [];
    for (let round = 0; round < 2; round++) {
      const orders = await Promise.all(connections.map((database, index) => claim(database, `${round} ${index}`)));
      claimed.push(...orders.map((order) => order?.name));
    }
    expect(claimed.filter((name) => name !== undefined).toSorted()).toEqual(["a.example", "b.example", "c.example"]);
  });

  it("are claimed again after a process died during one, and after a failure", async () => {
    const database = await openDatabase(await temporaryFolder());
    await addDomain(database, "a.example");
    await claim(database, "dead");
    expect(await claim(database, "early")).toBeUndefined();
    const later = new Date(NOW.getTime() + HOUR_MS);
    const order = await claim(database, "later", later);
    expect(order).toEqual({ domainId: "dm_a.example", name: "a.example", attempts: 0 });
    const failure = { error: "No.", nextOrderAt: new Date(later.getTime() + HOUR_MS) };
    await recordFailedOrder(database, { id: "dm_a.example", token: "later" }, failure);
    expect(await claim(database, "soon", later)).toBeUndefined();
    expect((await claim(database, "again", failure.nextOrderAt))?.attempts).toBe(1);
  });

  it("change nothing if their claim has expired", async () => {
    const database = await openDatabase(await temporaryFolder());
    await addDomain(database, "a.example");
    await claim(database, "slow");
    await claim(database, "quick", new Date(NOW.getTime() + HOUR_MS));
    const times = { expiresAt: NOW, nextOrderAt: NOW };
    await saveCertificate(database, { id: "dm_a.example", token: "slow" }, { ...ISSUED, ...times });
    expect(await findCertificateFiles(database, "a.example")).toBeUndefined();
  });
});

describe("a certificate", () => {
  it("is deleted with its key when its domain is deleted", async () => {
    const database = await openDatabase(await temporaryFolder());
    await addDomain(database, "a.example");
    await claim(database, "one");
    const times = { expiresAt: new Date(NOW.getTime() + HOUR_MS), nextOrderAt: NOW };
    await saveCertificate(database, { id: "dm_a.example", token: "one" }, { ...ISSUED, ...times });
    expect(await findCertificateFiles(database, "a.example")).toMatchObject({ privateKey: "key", chain: "chain" });
    await deleteRecord(database, "domain", { id: "dm_a.example" });
    expect((await findCertificates(database, ["dm_a.example"])).size).toBe(0);
    expect(await database.selectFrom("domainCertificate").selectAll().execute()).toEqual([]);
  });
});

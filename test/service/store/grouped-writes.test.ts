import { DatabaseSync } from "node:sqlite";
import { join } from "node:path";
import { sql } from "kysely";
import { describe, expect, it, onTestFinished } from "vitest";
import { deleteRows, findRow } from "../../../src/service/store/rows.ts";
import { openStore, type Store } from "../../../src/service/store/open-store.ts";
import type { Database } from "../../../src/service/store/tables.ts";
import { createGroup, writeTransaction } from "../../../src/service/store/transactions.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const NOW = new Date("2026-01-01T00:00:00Z");

async function open(dataDir?: string): Promise<Store> {
  const store = await openStore({ dataDir, now: NOW });
  onTestFinished(() => store.close());
  await store.database
    .insertInto("account")
    .values({ id: "acc_1", name: "One", createdAt: new Date(0) })
    .execute();
  return store;
}

async function note(database: Database, slug: string): Promise<string> {
  await database
    .insertInto("deletedPage")
    .values({ accountId: "acc_1", slug, deletedAt: new Date(0) })
    .execute();
  return slug;
}

async function listNoted({ database }: Store): Promise<readonly string[]> {
  const rows = await database.selectFrom("deletedPage").select("slug").orderBy("slug").execute();
  return rows.map(({ slug }) => slug);
}

describe("concurrent changes", () => {
  it("are all stored, and each returns its own result", async () => {
    const store = await open();
    const slugs = Array.from({ length: 150 }, (_, number) => `page-${String(number).padStart(3, "0")}`);
    const results = await Promise.all(
      slugs.map((slug) => writeTransaction(store.database, (database) => note(database, slug))),
    );
    expect(results).toEqual(slugs);
    expect(await listNoted(store)).toEqual(slugs);
  });

  it("see the ones before them", async () => {
    const store = await open();
    const [, seen] = await Promise.all([
      writeTransaction(store.database, (database) => note(database, "one")),
      writeTransaction(store.database, (database) =>
        findRow(database, "deletedPage", { accountId: "acc_1", slug: "one" }),
      ),
    ]);
    expect(seen).toMatchObject({ slug: "one" });
  });

  it("let other work run in between if they take long together", async () => {
    const store = await open();
    const order: string[] = [];
    let time = 0;
    const write = createGroup(store.database, () => time);
    const writeSlowly = async (slug: string) =>
      await write(async (database) => {
        time += 8;
        order.push(await note(database, slug));
      }, "alone");
    const written = Promise.all(["one", "two", "three"].map(writeSlowly));
    const serve = () => {
      if (order.filter((name) => name !== "other").length === 3) return;
      if (order.at(-1) !== "other") order.push("other");
      setImmediate(serve);
    };
    serve();
    await written;
    expect(order.filter((name) => name !== "other")).toEqual(["one", "two", "three"]);
    expect(order.join()).toContain("one,other,two,other,three");
    expect(await listNoted(store)).toEqual(["one", "three", "two"]);
  });

  it("are rolled back individually: one that throws leaves nothing behind, and the others stay", async () => {
    const store = await open();
    const failing = writeTransaction(store.database, async (database) => {
      await note(database, "half");
      throw new RangeError("no");
    });
    const [first, second, third] = await Promise.allSettled([
      writeTransaction(store.database, (database) => note(database, "before")),
      failing,
      writeTransaction(store.database, (database) => note(database, "after")),
    ]);
    expect(first).toEqual({ status: "fulfilled", value: "before" });
    expect(second).toMatchObject({ status: "rejected", reason: new RangeError("no") });
    expect(third).toEqual({ status: "fulfilled", value: "after" });
    expect(await listNoted(store)).toEqual(["after", "before"]);
  });

  it("fail together, with the reason, if the disk is full: none is reported as stored", async () => {
    const store = await open();
    const { rows } = await sql<{ pageCount: number }>`pragma page_count`.execute(store.database);
    await sql`pragma max_page_count = ${sql.lit((rows[0]?.pageCount ?? 0) + 1)}`.execute(store.database);
    // On a slow machine, the second one would otherwise be part of the next transaction.
    const write = createGroup(store.database, () => 0);
    const outcomes = await Promise.allSettled([
      write((database) => note(database, "small"), "alone"),
      write((database) => note(database, "large".repeat(20_000)), "alone"),
    ]);
    expect(outcomes).toMatchObject([
      { status: "rejected", reason: { message: expect.stringContaining("full") } },
      { status: "rejected", reason: { message: expect.stringContaining("full") } },
    ]);
    expect(await listNoted(store)).toEqual([]);
    expect(await writeTransaction(store.database, (database) => note(database, "later"))).toBe("later");
  });

  it("are visible to other processes once they are reported", async () => {
    const dataDir = await temporaryFolder();
    const store = await open(dataDir);
    const other = new DatabaseSync(join(dataDir, "service.sqlite"), { readOnly: true });
    onTestFinished(() => other.close());
    const count = other.prepare("select count(*) as count from deleted_page where slug = ?");
    const seen = await Promise.all(
      ["a", "b", "c"].map(async (slug) => {
        await writeTransaction(store.database, (database) => note(database, slug));
        return count.get(slug)?.["count"];
      }),
    );
    expect(seen).toEqual([1, 1, 1]);
  });

  it("continue after a failed change of their own transaction", async () => {
    const store = await open();
    await expect(writeTransaction(store.database, () => Promise.reject(new RangeError("no")))).rejects.toThrow("no");
    await writeTransaction(store.database, (database) => note(database, "one"));
    await writeTransaction(store.database, (database) =>
      deleteRows(database, "deletedPage", { accountId: "acc_1", slug: "one" }),
    );
    expect(await listNoted(store)).toEqual([]);
  });
});

import { Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler, DummyDriver } from "kysely";
import { describe, expect, it, onTestFinished } from "vitest";
import { createStatement } from "../../../src/service/store/database.ts";
import { openStore } from "../../../src/service/store/open-store.ts";
import type { Tables } from "../../../src/service/store/tables.ts";

const insertAccount = createStatement<{ readonly id: string; readonly name: string; readonly at: Date }>()(
  (database, parameter) =>
    database
      .insertInto("account")
      .values({ id: parameter("id"), name: parameter("name"), createdAt: parameter("at") })
      .onConflict((conflict) => conflict.column("id").doUpdateSet({ name: parameter("name"), createdAt: new Date(7) }))
      .returningAll(),
);

const selectAccounts = createStatement<object>()((database) => database.selectFrom("account").selectAll());

describe("a statement", () => {
  it("uses new values in each run, wherever they are, and keeps the others", async () => {
    const store = await openStore({ dataDir: undefined, now: new Date() });
    onTestFinished(() => store.close());
    expect(await insertAccount(store.database, { id: "1", name: "One", at: new Date(1) })).toEqual([
      { id: "1", name: "One", createdAt: new Date(1) },
    ]);
    expect(await insertAccount(store.database, { id: "1", name: "Two", at: new Date(2) })).toEqual([
      { id: "1", name: "Two", createdAt: new Date(7) },
    ]);
  });

  it("runs in the given transaction", async () => {
    const store = await openStore({ dataDir: undefined, now: new Date() });
    onTestFinished(() => store.close());
    const undone = store.database.transaction().execute(async (transaction) => {
      await insertAccount(transaction, { id: "1", name: "One", at: new Date(1) });
      throw new RangeError("no");
    });
    await expect(undone).rejects.toThrow("no");
    expect(await store.database.selectFrom("account").selectAll().execute()).toEqual([]);
  });

  it("waits for another open transaction, and never sees uncommitted changes", async () => {
    const store = await openStore({ dataDir: undefined, now: new Date() });
    onTestFinished(() => store.close());
    let asked: Promise<readonly unknown[]> | undefined;
    const undone = store.database.transaction().execute(async (transaction) => {
      await insertAccount(transaction, { id: "1", name: "One", at: new Date(1) });
      asked = selectAccounts(store.database, {});
      expect(await selectAccounts(transaction, {})).toHaveLength(1);
      throw new RangeError("no");
    });
    await expect(undone).rejects.toThrow("no");
    expect(await asked).toEqual([]);
  });

  it("is compiled for each kind of database", async () => {
    const asked: { readonly sql: string; readonly parameters: readonly unknown[] }[] = [];
    const postgres = new Kysely<Tables>({
      dialect: {
        createAdapter: () => new PostgresAdapter(),
        createDriver: () => new DummyDriver(),
        createIntrospector: (database) => new PostgresIntrospector(database),
        createQueryCompiler: () => new PostgresQueryCompiler(),
      },
      log: ({ query }) => void asked.push({ sql: query.sql, parameters: query.parameters }),
    });
    await insertAccount(postgres, { id: "1", name: "One", at: new Date(1) });
    expect(asked).toEqual([
      {
        sql: expect.stringMatching(/values \(\$1, \$2, \$3\).*= \$4.*= \$5/),
        parameters: ["1", "One", new Date(1), "One", new Date(7)],
      },
    ]);
  });
});

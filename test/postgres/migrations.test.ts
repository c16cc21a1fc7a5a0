import { DatabaseSync } from "node:sqlite";
import { sql } from "kysely";
import { expect, it, onTestFinished } from "vitest";
import { listMigrations, migrate } from "../../src/service/store/migrate.ts";
import { openStore, type Store } from "../../src/service/store/open-store.ts";
import { temporaryFolder } from "../service/temporary-folder.ts";
import { freshSchemaUrl } from "./servers.ts";

const NOW = new Date("2026-01-01T00:00:00Z");

async function open(databaseUrl: string): Promise<Store> {
  const store = await openStore({ dataDir: await temporaryFolder(), databaseUrl, now: NOW });
  onTestFinished(() => store.close());
  return store;
}

const TYPES: Readonly<Record<string, string>> = {
  text: "TEXT",
  bigint: "INTEGER",
  "double precision": "REAL",
  bytea: "BLOB",
};

it("creates the same tables and columns as on SQLite, with the same types and constraints", async () => {
  const sqlite = new DatabaseSync(":memory:");
  onTestFinished(() => sqlite.close());
  migrate(sqlite, NOW);
  const expected = sqlite
    .prepare(
      `select t.name as "table", c.name as "column", upper(c.type) as type, (c."notnull" = 1 or c.pk > 0) as required
       from pragma_table_list t, pragma_table_info(t.name) c
       where t.schema = 'main' and t.type = 'table' and t.name not like 'sqlite%'
       order by t.name, c.cid`,
    )
    .all();
  const { database } = await open(freshSchemaUrl());
  const { rows } = await sql<Readonly<Record<string, string>>>`
    select table_name as "table", column_name as "column", data_type as type, is_nullable, collation_name
    from information_schema.columns where table_schema = current_schema()
    order by table_name collate "C", ordinal_position`.execute(database.withoutPlugins());
  const found = rows.map(({ table, column, type = "", is_nullable }) => ({
    ...{ table, column, type: TYPES[type] ?? type },
    required: is_nullable === "NO" ? 1 : 0,
  }));
  expect(expected.length).toBeGreaterThan(200);
  expect(found).toEqual(expected.map((row) => ({ ...row })));
  const texts = rows.filter(({ table, type }) => type === "text" && table !== "schema_version");
  expect(texts.filter(({ collation_name }) => collation_name !== "C")).toEqual([]);
});

it("creates the same indexes as on SQLite", async () => {
  const sqlite = new DatabaseSync(":memory:");
  onTestFinished(() => sqlite.close());
  migrate(sqlite, NOW);
  const expected = sqlite
    .prepare("select name from sqlite_schema where type = 'index' and sql is not null order by name")
    .all();
  const { database } = await open(freshSchemaUrl());
  const { rows } = await sql<{ readonly name: string }>`
    select indexname as name from pg_indexes
    where schemaname = current_schema() and indexname !~ '_(pkey|key)$' order by indexname collate "C"`.execute(
    database,
  );
  expect(rows).toEqual(expected.map((row) => ({ ...row })));
});

it("runs once if several processes start on an empty database", async () => {
  const databaseUrl = freshSchemaUrl();
  await Promise.all(Array.from({ length: 4 }, () => open(databaseUrl)));
  const { database } = await open(databaseUrl);
  const { rows } = await sql<{ readonly name: string }>`select name from schema_version order by version`.execute(
    database,
  );
  expect(rows.map(({ name }) => name)).toEqual(listMigrations().map(({ name }) => name));
});

it("records which records the stored idempotent responses contain", async () => {
  const databaseUrl = freshSchemaUrl();
  const { database } = await open(databaseUrl);
  await sql`drop table idempotent_record`.execute(database);
  await sql`delete from schema_version where version = 9`.execute(database);
  const answer = JSON.stringify({ status: 201, headers: {}, body: `{"id":"pg_${"0".repeat(22)}","title":"One"}` });
  await sql`insert into account values ('acc_1', 'One', 0)`.execute(database);
  await sql`insert into idempotent_request values ('acc_1', 'POST /b/api/pages', 'k', 'f', 0, ${answer})`.execute(
    database,
  );
  await sql`insert into idempotent_request values ('acc_1', 'POST /b/api/pages', 'runs', 'f', 0, null)`.execute(
    database,
  );
  const { database: migrated } = await open(databaseUrl);
  const { rows } = await sql`select record_id, key from idempotent_record`.execute(migrated.withoutPlugins());
  expect(rows).toEqual([{ record_id: `pg_${"0".repeat(22)}`, key: "k" }]);
});

import { expect, it } from "vitest";
import { listMigrations, readMigration } from "../../../../src/service/store/migrate.ts";
import { translateMigration } from "../../../../src/service/store/postgres/migrate-postgres.ts";

it("translates column types, and sorts texts by bytes", () => {
  const migration =
    "create table a (\n  id text primary key,\n  size integer,\n  share real,\n  html blob not null\n) strict;";
  expect(translateMigration(migration)).toBe(
    'create table a (\n  id text collate "C" primary key,\n  size bigint,\n  share double precision,\n  html bytea not null\n);',
  );
});

it("translates columns that are added to a table", () => {
  expect(translateMigration("alter table page add column note text;")).toBe(
    'alter table page add column note text collate "C";',
  );
});

it("changes neither values nor names that look like types", () => {
  const migration =
    "create table a (\n  text text check (text in ('text', 'integer')),\n  primary key (text)\n) strict, without rowid;";
  expect(translateMigration(migration)).toBe(
    "create table a (\n  text text collate \"C\" check (text in ('text', 'integer')),\n  primary key (text)\n);",
  );
});

it("removes comments, and includes statements for PostgreSQL only", () => {
  expect(translateMigration("-- A remark.\n-- postgres: alter table a set unlogged;\n")).toBe(
    "\nalter table a set unlogged;\n",
  );
});

it("removes a statement for SQLite only", () => {
  const migration = "-- sqlite:\ninsert into a\nselect value from json_tree('[1]');\n\nselect 1;\n";
  expect(translateMigration(migration)).toBe("\n\nselect 1;\n");
});

it.each(listMigrations().map(({ name }) => name))("leaves no SQLite syntax in %s", (name) => {
  const translated = translateMigration(readMigration(name));
  expect(translated).not.toMatch(/\b(?:strict|rowid|integer|blob|real|autoincrement|json_each)\b/i);
  expect(translated).not.toMatch(/\btext\b(?! collate "C")/);
});

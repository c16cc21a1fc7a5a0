import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import { messageOf } from "../../base/error.ts";
import { migrate } from "../store/migrate.ts";
import { openSqlite } from "../store/sqlite.ts";
import { damaged, type Row } from "./format.ts";
import { isKeptTable, type RowTarget } from "./row-source.ts";

/**
 * Makes a database with the schema that the rows had when they were saved; later migrations follow in `finish`, so that
 * they meet the rows as they would have met them in the old service.
 */
export function openSqliteTarget(
  path: string,
  { schemaVersion, now }: { readonly schemaVersion: number; readonly now: Date },
): RowTarget {
  const database = openSqlite(path);
  try {
    migrate(database, now, schemaVersion);
    // Rows of one table may refer to each other; `finish` checks them all.
    database.exec("pragma foreign_keys = off; begin");
    clear(database);
  } catch (error) {
    database.close();
    throw error;
  }
  const insertRows = createInserter(database);
  return {
    async insert(table, rows) {
      if (!isKeptTable(table)) throw damaged(`It holds a table "${table}".`);
      insertRows(table, rows);
    },
    async finish() {
      const broken = database.prepare("pragma foreign_key_check").get();
      if (broken !== undefined) throw damaged(`A row of ${String(broken["table"])} refers to one that is missing.`);
      database.exec("commit; pragma foreign_keys = on");
      migrate(database, now);
      database.exec("pragma wal_checkpoint(truncate)");
    },
    async close() {
      database.close();
    },
  };
}

// Migrations may have put rows in by themselves, which the backup brings too.
function clear(database: DatabaseSync): void {
  for (const { name } of database.prepare("select name from sqlite_schema where type = 'table'").all()) {
    if (isKeptTable(String(name))) database.exec(`delete from "${String(name)}"`);
  }
}

type Inserter = (table: string, rows: readonly Row[]) => void;

function createInserter(database: DatabaseSync): Inserter {
  const statements = new Map<string, StatementSync>();

  function statementFor(table: string, columns: readonly string[]): StatementSync {
    const key = [table, ...columns].join(" ");
    const statement = statements.get(key) ?? prepareInsert(database, { table, columns });
    statements.set(key, statement);
    return statement;
  }

  return (table, rows) => {
    try {
      for (const row of rows) {
        const values: readonly SQLInputValue[] = Object.values(row);
        statementFor(table, Object.keys(row)).run(...values);
      }
    } catch (error) {
      throw damaged(`A row of "${table}" does not fit the database: ${messageOf(error)}`, error);
    }
  };
}

// No name comes into a statement before the schema has confirmed it.
function prepareInsert(
  database: DatabaseSync,
  { table, columns }: { readonly table: string; readonly columns: readonly string[] },
): StatementSync {
  const rows = database.prepare("select name from pragma_table_info(?)").all(table);
  const known = new Set(rows.map(({ name }) => name));
  const unknown = columns.find((column) => !known.has(column));
  if (unknown !== undefined) throw new Error(`there is no column "${unknown}"`);
  const names = columns.map((column) => `"${column}"`).join(", ");
  return database.prepare(`insert into "${table}" (${names}) values (${columns.map(() => "?").join(", ")})`);
}

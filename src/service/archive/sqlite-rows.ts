import { DatabaseSync, type StatementSync } from "node:sqlite";
import { ImprintError, messageOf } from "../../base/error.ts";
import { latestVersion, migrate, readVersion } from "../store/migrate.ts";
import { openSqlite } from "../store/sqlite.ts";
import { asRowValue, damaged, isKeptTable, type Row, type RowSource, type RowTarget } from "./format.ts";

/**
 * Opens a consistent snapshot of a database in a read transaction that blocks no writes. Throws `STATE_UNREADABLE` for
 * a database of a newer version.
 */
export function openSqliteSource(path: string): RowSource {
  const database = new DatabaseSync(path, { readOnly: true, timeout: 5000 });
  try {
    // The snapshot is taken by the first read.
    database.exec("begin");
    const schemaVersion = readVersion(database);
    if (schemaVersion > latestVersion()) {
      throw new ImprintError("STATE_UNREADABLE", `${path} was written by a newer version of astro-imprint.`);
    }
    return {
      schemaVersion,
      tables: listTables(database),
      blobHashes: listTexts(database, "select distinct hash as text from asset order by hash"),
      readRows: (table) => readRows(database, table),
      async close() {
        database.close();
      },
    };
  } catch (error) {
    database.close();
    throw error;
  }
}

// A table can only reference tables that existed before it, so rows are restored in the order of creation.
function listTables(database: DatabaseSync): RowSource["tables"] {
  const names = listTexts(database, "select name as text from sqlite_schema where type = 'table' order by rowid");
  return names.filter(isKeptTable).map((name) => {
    const rows = database.prepare(`select count(*) as rows from "${name}"`).get()?.["rows"];
    return { name, rows: Number(rows) };
  });
}

function listTexts(database: DatabaseSync, statement: string): readonly string[] {
  return database
    .prepare(statement)
    .all()
    .map(({ text }) => String(text));
}

function* readRows(database: DatabaseSync, table: string): Iterable<Row> {
  for (const row of database.prepare(`select * from "${table}"`).iterate()) {
    yield Object.fromEntries(Object.entries(row).map(([column, value]) => [column, asRowValue(value)]));
  }
}

/**
 * Creates a database with the schema version of the backup. `finish` applies later migrations, so that they process the
 * rows as in the old service.
 */
export function openSqliteTarget(
  path: string,
  { schemaVersion, now }: { readonly schemaVersion: number; readonly now: Date },
): RowTarget {
  const database = openSqlite(path, { file: "create" });
  try {
    migrate(database, now, schemaVersion);
    // Rows may reference others of the same table; `finish` checks them all.
    database.exec("pragma foreign_keys = off; begin");
    clear(database);
  } catch (error) {
    database.close();
    throw error;
  }
  const statements = new Map<string, StatementSync>();
  return {
    async insert(table, rows) {
      if (!isKeptTable(table)) throw damaged(`It has an unknown table "${table}".`);
      try {
        for (const row of rows) {
          const columns = Object.keys(row);
          const key = [table, ...columns].join(" ");
          const statement = statements.get(key) ?? prepareInsert(database, table, columns);
          statements.set(key, statement);
          statement.run(...Object.values(row));
        }
      } catch (error) {
        throw damaged(`A row of "${table}" doesn't fit the database: ${messageOf(error)}`, error);
      }
    },
    async finish() {
      const broken = database.prepare("pragma foreign_key_check").get();
      if (broken !== undefined) throw damaged(`A row of ${String(broken["table"])} references a missing row.`);
      database.exec("commit; pragma foreign_keys = on");
      migrate(database, now);
      database.exec("pragma wal_checkpoint(truncate)");
    },
    async close() {
      database.close();
    },
  };
}

// Migrations may have inserted rows that the backup also contains.
function clear(database: DatabaseSync): void {
  for (const { name } of database.prepare("select name from sqlite_schema where type = 'table'").all()) {
    if (isKeptTable(String(name))) database.exec(`delete from "${String(name)}"`);
  }
}

// Names are used in a statement only after checking that the schema has them.
function prepareInsert(database: DatabaseSync, table: string, columns: readonly string[]): StatementSync {
  const rows = database.prepare("select name from pragma_table_info(?)").all(table);
  const known = new Set(rows.map(({ name }) => name));
  const unknown = columns.find((column) => !known.has(column));
  if (unknown !== undefined) throw new Error(`there is no column "${unknown}"`);
  const names = columns.map((column) => `"${column}"`).join(", ");
  return database.prepare(`insert into "${table}" (${names}) values (${columns.map(() => "?").join(", ")})`);
}

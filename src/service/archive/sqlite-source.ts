import { DatabaseSync } from "node:sqlite";
import { ImprintError } from "../../base/error.ts";
import { latestVersion, readVersion } from "../store/migrate.ts";
import { damaged, type Row, type RowValue } from "./format.ts";
import { isKeptTable, type RowSource } from "./row-source.ts";

/**
 * Opens a database for reading, in a transaction that sees one moment and holds up nobody who writes. Throws
 * `STATE_UNREADABLE` for a database of a newer program.
 */
export function openSqliteSource(path: string): RowSource {
  const database = new DatabaseSync(path, { readOnly: true, timeout: 5000 });
  try {
    // The first read takes the moment.
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

// A table can only refer to tables that were there before it, so the order in which they were made serves for putting
// rows back.
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

function asRowValue(value: unknown): RowValue {
  if (value === null || typeof value === "string" || typeof value === "number") return value;
  if (value instanceof Uint8Array) return value;
  throw damaged("A row holds a value that no table of the service has.");
}

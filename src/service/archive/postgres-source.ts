import type { PoolClient } from "pg";
import { ImprintError } from "../../base/error.ts";
import { SILENT_LOGGER } from "../../base/log.ts";
import { latestVersion, listTables } from "../store/migrate.ts";
import { parseDatabaseUrl } from "../store/postgres/database-url.ts";
import { asOpenError, createPool } from "../store/postgres/open-postgres.ts";
import { damaged, type Row, type RowValue } from "./format.ts";
import { isKeptTable, type RowSource } from "./row-source.ts";

// A row can hold a page of five megabytes.
const ROWS_AT_ONCE = 25;

/**
 * Reads a PostgreSQL database in a transaction that sees one moment and holds up nobody. Throws `OPTIONS_INVALID`,
 * `STORAGE_UNREACHABLE` or `STATE_UNREADABLE`.
 */
export async function openPostgresSource(databaseUrl: string): Promise<RowSource> {
  const address = parseDatabaseUrl(databaseUrl);
  const pool = createPool(address, SILENT_LOGGER, { statementTimeoutMs: undefined });
  let client: PoolClient | undefined;
  const close = async () => {
    // The server undoes the transaction with the connection.
    client?.release(true);
    await pool.end();
  };
  try {
    client = await pool.connect();
    return { ...(await readFrom(client, address.label)), close };
  } catch (error) {
    await close();
    throw asOpenError(error, address);
  }
}

async function readFrom(client: PoolClient, label: string): Promise<Omit<RowSource, "close">> {
  await client.query("begin transaction isolation level repeatable read, read only");
  // Between two reads a part is written to the backup.
  await client.query("set local idle_in_transaction_session_timeout = 0");
  const schemaVersion = await readVersion(client, label);
  const hashes = await client.query<{ readonly hash: string }>("select distinct hash from asset order by hash");
  return {
    schemaVersion,
    tables: await countTables(client),
    blobHashes: hashes.rows.map(({ hash }) => hash),
    readRows: (table) => readRows(client, table),
  };
}

async function readVersion(client: PoolClient, label: string): Promise<number> {
  const { rows } = await client.query("select to_regclass('schema_version') is not null as known");
  const known = rows[0]?.known === true;
  const version = known ? Number((await client.query("select max(version) as v from schema_version")).rows[0]?.v) : 0;
  if (version === 0) {
    throw new ImprintError("STATE_UNREADABLE", `There is no service in ${label}.`, {
      hint: "Name the database of the service with `--database-url`.",
    });
  }
  if (version <= latestVersion()) return version;
  throw new ImprintError(
    "STATE_UNREADABLE",
    `The database at ${label} was written by a newer version of astro-imprint.`,
    { hint: "Update astro-imprint." },
  );
}

async function countTables(client: PoolClient): Promise<RowSource["tables"]> {
  const { rows } = await client.query(
    "select table_name from information_schema.tables where table_schema = current_schema()",
  );
  const present = new Set(rows.map(({ table_name: name }) => name));
  const tables: { readonly name: string; readonly rows: number }[] = [];
  for (const name of listTables()) {
    if (!present.has(name) || !isKeptTable(name)) continue;
    const counted = await client.query(`select count(*) as rows from "${name}"`);
    tables.push({ name, rows: Number(counted.rows[0]?.rows) });
  }
  return tables;
}

async function* readRows(client: PoolClient, table: string): AsyncGenerator<Row> {
  await client.query(`declare reading no scroll cursor for select * from "${table}"`);
  for (;;) {
    const { rows } = await client.query<Record<string, unknown>>(`fetch ${ROWS_AT_ONCE} from reading`);
    for (const row of rows) {
      yield Object.fromEntries(Object.entries(row).map(([column, value]) => [column, asRowValue(value)]));
    }
    if (rows.length < ROWS_AT_ONCE) break;
  }
  await client.query("close reading");
}

function asRowValue(value: unknown): RowValue {
  if (value === null || typeof value === "string" || typeof value === "number") return value;
  if (value instanceof Uint8Array) return value;
  throw damaged("A row holds a value that no table of the service has.");
}

import type { DialectAdapter, SqliteDatabase } from "kysely";
import type { Database } from "./tables.ts";

/** The one connection of an SQLite database, for statements that need nothing of kysely but their SQL. */
export interface DirectSqlite extends Pick<SqliteDatabase, "prepare"> {
  /** Whether a transaction is open. */
  isInTransaction(): boolean;
}

const connections = new WeakMap<DialectAdapter, DirectSqlite>();

export function registerSqlite(database: Database, connection: DirectSqlite): void {
  connections.set(database.getExecutor().adapter, connection);
}

/**
 * The connection when it can be used at this very moment: by the transaction that is open, or by anybody while none is.
 * `undefined` when the caller has to wait, or when the database is another one.
 */
export function findFreeSqlite(database: Database): DirectSqlite | undefined {
  const connection = connections.get(database.getExecutor().adapter);
  if (connection === undefined) return undefined;
  return database.isTransaction || !connection.isInTransaction() ? connection : undefined;
}

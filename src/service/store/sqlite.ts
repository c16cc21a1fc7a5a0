import { chmodSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import type { SqliteDatabase } from "kysely";
import { messageOf } from "../../base/error.ts";
import { RESTORE_HINT } from "../../contract/readiness.ts";
import { ProblemError } from "../http/problem.ts";
import { isDamageCode, NO_DAMAGE, type Damage } from "./damage.ts";
import { createDecoder, encodeValue, type DirectSqlite, type DirectStatement, type Remembered } from "./database.ts";

// Compiling a statement takes as long as running a small one. The service has a few hundred different statements; the
// limit bounds the memory for any others.
const MAX_CACHED_STATEMENTS = 300;

// Holds what is written most (indexes and the newest events) and pages being published.
const CACHE_KIB = 16 * 1024;
/**
 * WAL length at which a commit copies it to the database file if no thread does: 16 MiB, four times SQLite's default,
 * so that pages rewritten before then are copied only once.
 */
export const CHECKPOINT_PAGES = 4000;
// Without a limit, a log file never shrinks.
const MAX_IDLE_LOG_BYTES = 64 * 1024 * 1024;

export interface SqliteOptions {
  /** @default 5000 */
  readonly timeoutMs?: number;
  /** @default "normal" */
  readonly durability?: Durability;
  /** `open` throws if the file doesn't exist. Default: `open`. */
  readonly file?: "open" | "create";
}

/**
 * What a power failure may lose. With a write-ahead log, a crash can't corrupt the file, and a killed process loses no
 * confirmed write in either mode.
 *
 * - `normal`: the last moments, which each publisher repairs in its next run. Data that can't be sent again is written
 *   as `lasting` (`WriteScope`).
 * - `full`: no confirmed write. Every write waits for the disk.
 */
export type Durability = "full" | "normal";

/** Opens an SQLite file (or `:memory:`) with the service's settings. */
export function openSqlite(
  path: string,
  { timeoutMs = 5000, durability = "normal", file = "open" }: SqliteOptions = {},
): DatabaseSync {
  const options = { defensive: true, enableForeignKeyConstraints: true, timeout: timeoutMs };
  const database = new DatabaseSync(path === ":memory:" ? path : addressOf(path, file), options);
  try {
    // It holds webhook secrets and certificate keys. SQLite gives its other files the same permissions.
    if (path !== ":memory:") chmodSync(path, 0o600);
    database.exec(`pragma journal_mode = wal; pragma synchronous = ${durability}; pragma temp_store = memory;`);
    database.exec(`pragma cache_size = -${CACHE_KIB}; pragma wal_autocheckpoint = ${CHECKPOINT_PAGES};`);
    database.exec(`pragma journal_size_limit = ${MAX_IDLE_LOG_BYTES}`);
  } catch (error) {
    database.close();
    throw error;
  }
  return database;
}

function addressOf(path: string, file: "open" | "create"): URL {
  const address = pathToFileURL(path);
  address.searchParams.set("mode", file === "open" ? "rw" : "rwc");
  return address;
}

/** Adapts Node's SQLite to Kysely's dialect, and records damage that any statement encounters. */
export function adaptSqlite(database: DatabaseSync, damage: Damage = NO_DAMAGE): SqliteDatabase & DirectSqlite {
  const statements = new Map<string, DirectStatement>();
  const watch = createWatch(damage);
  const revisions = createRevisions(database, watch);
  return {
    findRevision: revisions.find,
    isInTransaction: () => database.isTransaction,
    close() {
      statements.clear();
      database.close();
    },
    prepare(sql) {
      const known = statements.get(sql);
      if (known !== undefined) return known;
      // SQLite executes some pragmas while compiling them.
      if (sql.startsWith("pragma ")) return watch(() => adaptStatement(database.prepare(sql), watch));
      const statement =
        sql === "rollback"
          ? rollbackStatement(database)
          : watch(() => adaptStatement(database.prepare(toOwn(sql)), revisions.watchWrites(sql, watch)));
      if (statements.size >= MAX_CACHED_STATEMENTS) statements.clear();
      statements.set(sql, statement);
      return statement;
    },
  };
}

/** The tables that cached data depends on. */
const DECIDED_BY: Readonly<Record<Remembered, RegExp>> = {
  keys: /\b(?:api_key|account_user)\b/,
  pages: /\b(?:page|release|release_page)\b/,
};
const KINDS: readonly Remembered[] = ["keys", "pages"];

/** Counts writes by all connections of this process, which must see each other's commits at once. */
let writes = 0;

/** Counts changes that may invalidate cached data: writes of this connection, and commits by any other. */
function createRevisions(database: DatabaseSync, watch: Watch) {
  const counts: Record<Remembered, number> = { keys: 0, pages: 0 };
  let version: StatementSync | undefined;
  let lastVersion: unknown;
  let seenWrites = -1;
  const forget = () => (seenWrites = -1);

  function count(kinds: readonly Remembered[]): void {
    for (const kind of kinds) counts[kind] += 1;
  }

  return {
    find(kind: Remembered): number {
      // The pragma takes file locks. A commit by another process during the reads of pending requests counts as coming
      // after them.
      if (seenWrites === writes) return counts[kind];
      seenWrites = writes;
      setImmediate(forget);
      const seen = watch(() => (version ??= database.prepare("pragma data_version")).get()?.["data_version"]);
      if (seen !== lastVersion) count(KINDS);
      lastVersion = seen;
      return counts[kind];
    },
    /** Wraps statements that write such tables; they count even if rolled back. */
    watchWrites(sql: string, inner: Watch): Watch {
      if (/^\s*(?:select|savepoint|release)\b/i.test(sql)) return inner;
      const written = KINDS.filter((kind) => DECIDED_BY[kind].test(sql));
      return (work) => {
        count(written);
        try {
          return inner(work);
        } finally {
          writes += 1;
        }
      };
    },
  };
}

// Otherwise, a transaction that reads before it writes fails if another process wrote in between.
function toOwn(sql: string): string {
  return sql === "begin" ? "begin immediate" : sql;
}

// SQLite itself rolls back a transaction when the disk is full; a second rollback would fail and hide the reason.
function rollbackStatement(database: DatabaseSync): DirectStatement {
  return {
    reader: false,
    all: () => [],
    records: () => [],
    run() {
      if (database.isTransaction) database.exec("rollback");
      return { changes: 0, lastInsertRowid: 0 };
    },
    iterate: () => [].values(),
  };
}

/** Returns the primary result code of an SQLite error (https://www.sqlite.org/rescode.html). */
export function sqliteCodeOf(error: unknown): number | undefined {
  const isFromSqlite = error instanceof Error && "errcode" in error && typeof error.errcode === "number";
  // Extended codes contain the primary code in their lowest byte.
  return isFromSqlite ? Number(error.errcode) & 0xff : undefined;
}

const READONLY = 8;

type Watch = <Result>(work: () => Result) => Result;

/** Runs database work, records damage that it encounters, and reports damage as the reason for refused writes. */
function createWatch(damage: Damage): Watch {
  return (work) => {
    try {
      return work();
    } catch (error) {
      const code = sqliteCodeOf(error);
      if (isDamageCode(code)) damage.note(messageOf(error));
      if (code === READONLY && damage.found() !== undefined) {
        throw new ProblemError("storage_damaged", { detail: RESTORE_HINT, cause: error });
      }
      throw error;
    }
  };
}

function adaptStatement(statement: StatementSync, watch: Watch): DirectStatement {
  // Node takes longer to create an object for a row than SQLite to read it.
  statement.setReturnArrays(true);
  let columns = columnsOf(statement);
  let decode = createDecoder(columns);

  function readAll(parameters: readonly unknown[]): readonly (readonly unknown[])[] {
    const rows: readonly unknown[] = watch(() => statement.all(...bindable(parameters)));
    const [first] = rows;
    // Another process has altered the table.
    if (Array.isArray(first) && first.length !== columns.length) {
      columns = columnsOf(statement);
      decode = createDecoder(columns);
    }
    return rows.map((row) => (Array.isArray(row) ? row : []));
  }

  function toRow(values: readonly unknown[]): Record<string, unknown> {
    const row: Record<string, unknown> = {};
    for (const [index, column] of columns.entries()) row[column] = values[index];
    return row;
  }

  return {
    reader: columns.length > 0,
    all: (parameters) => readAll(parameters).map(toRow),
    records: (parameters) => readAll(parameters).map((values) => decode(values)),
    run: (parameters) => watch(() => statement.run(...bindable(parameters))),
    iterate() {
      throw new TypeError("Streaming isn't supported: use keyset pagination.");
    },
  };
}

function columnsOf(statement: StatementSync): readonly string[] {
  return statement.columns().map(({ name }) => name);
}

function bindable(parameters: readonly unknown[]): SQLInputValue[] {
  return parameters.map((parameter) => {
    const value = encodeValue(parameter);
    if (value === null || typeof value === "string" || typeof value === "number" || value instanceof Uint8Array) {
      return value;
    }
    throw new TypeError(`A ${typeof value} can't be bound to an SQL parameter.`);
  });
}

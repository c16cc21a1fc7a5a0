import { chmodSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import type { SqliteDatabase } from "kysely";
import { messageOf } from "../../base/error.ts";
import { RESTORE_HINT } from "../../contract/readiness.ts";
import { ProblemError } from "../http/problem.ts";
import { isDamageCode, NO_DAMAGE, type Damage } from "./damage.ts";
import { createDecoder, encodeValue, type DirectSqlite, type DirectStatement, type Remembered } from "./database.ts";

// Compiling a statement takes as long as running a small one. The service has a few hundred different statements at
// most; the bound only keeps the memory of unforeseen ones in check.
const MAX_CACHED_STATEMENTS = 300;

// Holds what is written most, the indexes and the newest events, beside pages on their way.
const CACHE_KIB = 16 * 1024;
/**
 * The length of the log that a commit copies to the database file, where no thread does so: 16 MiB, four times SQLite's
 * default, so that what is written again before then is copied once.
 */
export const CHECKPOINT_PAGES = 4000;
// A log file otherwise never shrinks.
const MAX_IDLE_LOG_BYTES = 64 * 1024 * 1024;

export interface SqliteOptions {
  /** @default 5000 */
  readonly timeoutMs?: number;
  /** @default "normal" */
  readonly durability?: Durability;
  /** `open` throws where there is no file. Default: `open`. */
  readonly file?: "open" | "create";
}

/**
 * What a power cut may take back. With a write-ahead log the file can't be corrupted by a crash, and a killed process
 * loses nothing that was answered, in both cases.
 *
 * - `normal`: the last moments, which every publisher puts right with its next run. What can't be sent again is `lasting`
 *   (`WriteScope`) all the same.
 * - `full`: nothing that was answered. Every write waits for the disk.
 */
export type Durability = "full" | "normal";

/** Opens an SQLite file (or `:memory:`) as the service needs it. */
export function openSqlite(
  path: string,
  { timeoutMs = 5000, durability = "normal", file = "open" }: SqliteOptions = {},
): DatabaseSync {
  const options = { defensive: true, enableForeignKeyConstraints: true, timeout: timeoutMs };
  const database = new DatabaseSync(path === ":memory:" ? path : addressOf(path, file), options);
  try {
    // It holds secrets of webhooks and keys of certificates. The files beside it take over who may read it.
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

/** Node's SQLite in the shape that kysely's dialect asks for. Notes damage that any statement meets. */
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
      // SQLite does some of them while it compiles them.
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

/** The tables that decide about what is remembered. */
const DECIDED_BY: Readonly<Record<Remembered, RegExp>> = {
  keys: /\b(?:api_key|account_user)\b/,
  pages: /\b(?:page|release|release_page)\b/,
};
const KINDS: readonly Remembered[] = ["keys", "pages"];

/** What was written by any connection of this process: what one commits, the others have to see at once. */
let writes = 0;

/** Counts what may have changed something that is remembered: writes of this connection, and commits of any other. */
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
      // Asking takes locks of the file. What another process commits while requests are read that have come already is as
      // if it came after them.
      if (seenWrites === writes) return counts[kind];
      seenWrites = writes;
      setImmediate(forget);
      const seen = watch(() => (version ??= database.prepare("pragma data_version")).get()?.["data_version"]);
      if (seen !== lastVersion) count(KINDS);
      lastVersion = seen;
      return counts[kind];
    },
    /** For a statement that writes what decides; it is counted even when it is undone. */
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

// A transaction that reads first and writes then would fail when another process wrote in between.
function toOwn(sql: string): string {
  return sql === "begin" ? "begin immediate" : sql;
}

// SQLite itself undoes a transaction when the disk is full; rolling back once more would fail and hide the reason.
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

/** The primary result code of an error that SQLite threw (https://www.sqlite.org/rescode.html). */
export function sqliteCodeOf(error: unknown): number | undefined {
  const isFromSqlite = error instanceof Error && "errcode" in error && typeof error.errcode === "number";
  // Extended codes carry the primary one in their lowest byte.
  return isFromSqlite ? Number(error.errcode) & 0xff : undefined;
}

const READONLY = 8;

type Watch = <Result>(work: () => Result) => Result;

/** Runs work on the database; damage that it meets is noted, and what is refused because of it says so. */
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
  // To make an object of a row takes Node longer than SQLite to read it.
  statement.setReturnArrays(true);
  let columns = columnsOf(statement);
  let decode = createDecoder(columns);

  function readAll(parameters: readonly unknown[]): readonly (readonly unknown[])[] {
    const rows: readonly unknown[] = watch(() => statement.all(...bindable(parameters)));
    const [first] = rows;
    // Another process has changed the table.
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
      throw new TypeError("Rows are read in parts by their keys.");
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

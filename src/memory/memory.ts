import { existsSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { DatabaseSync } from "node:sqlite";
import { ImprintError, messageOf } from "../base/error.ts";
import { sha256 } from "../base/hash.ts";
import { SILENT_LOGGER, type Logger } from "../base/log.ts";
import { makeOwnFolder } from "../disk/own-folder.ts";
import { readFirstEdition, removeFirstEdition } from "./first-edition.ts";

// What imprint remembers about a project on this machine: `.imprint/memory.sqlite`. It is a cache of the service and of
// earlier work; what must survive its loss is also in the lock file. Several processes may have it open, such as the
// dev server and a command.

/** A value under a name within a topic, such as a page by its slug within the pages of a target. */
export interface Note {
  readonly topic: string;
  readonly name: string;
  /** A JSON value; `undefined` deletes the name. */
  readonly value: unknown;
}

export interface Memory {
  /** Returns the values of a topic by name, in the order in which names were first written. Omits damaged values. */
  read(topic: string): ReadonlyMap<string, unknown>;
  /** Writes all of the notes or none. Throws `STATE_UNWRITABLE`. */
  write(notes: readonly Note[]): void;
  /** Makes writes with `durability: "process"` survive a power loss. Throws `STATE_UNWRITABLE`. */
  sync(): void;
  close(): void;
}

export interface MemoryOptions {
  /** `read`: neither creates nor changes files. Default: `write`. */
  readonly access?: "read" | "write";
  /** What writes survive: a killed `process`, which is faster, or a `power` loss. Default: `power`. */
  readonly durability?: "process" | "power";
  readonly logger?: Logger | undefined;
}

const VERSION = 1;
const BUSY_MS = 10_000;

// Primary result codes of SQLite.
const DAMAGED: ReadonlySet<number> = new Set([11, 26]);
const READ_ONLY: ReadonlySet<number> = new Set([8, 14]);
const DISK_FULL = 13;

/**
 * Opens the memory of a project on first use. If the file is damaged or of another version, it is set aside with a
 * warning, and the memory is empty. With `access: "read"`, methods throw `STATE_UNREADABLE` instead of
 * `STATE_UNWRITABLE`.
 */
export function openMemory(projectRoot: string, options: MemoryOptions = {}): Memory {
  const folder = join(projectRoot, ".imprint");
  const file = join(folder, "memory.sqlite");
  const { access = "write", durability = "power", logger = SILENT_LOGGER } = options;
  let database: DatabaseSync | undefined;

  function open(): DatabaseSync {
    if (access === "read") return openToRead(file, folder);
    makeOwnFolder(folder);
    const opened = openFile(file, folder);
    if (durability === "process") opened.exec("PRAGMA synchronous = NORMAL");
    return opened;
  }

  function startEmpty(error: unknown): DatabaseSync {
    database?.close();
    const aside = access === "read" ? "" : ` The file is kept as ${setAside(file)}.`;
    logger.warn(`${file} can't be used: ${messageOf(error)}. The run starts with an empty memory.${aside}`);
    return access === "read" ? openEmpty(folder) : open();
  }

  function use<Result>(work: (opened: DatabaseSync) => Result): Result {
    try {
      return work((database ??= open()));
    } catch (error) {
      if (!DAMAGED.has(codeOf(error))) throw failureOf(error, { file, access });
      database = startEmpty(error);
      return work(database);
    }
  }

  return {
    read: (topic) => use((opened) => readNotes(opened, topic)),
    write: (notes) => use((opened) => transact(opened, () => writeNotes(opened, notes))),
    sync: () => use((opened) => opened.exec("PRAGMA wal_checkpoint(PASSIVE)")),
    close: () => database?.close(),
  };
}

/** Opens the memory of a project while the work runs. */
export function withMemory<Result>(
  projectRoot: string,
  options: MemoryOptions,
  work: (memory: Memory) => Result,
): Result {
  const memory = openMemory(projectRoot, options);
  try {
    return work(memory);
  } finally {
    memory.close();
  }
}

/** Loads SQLite on first use, without Node 22's warning that it is experimental. */
export function loadSqlite(): typeof import("node:sqlite") {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return process.getBuiltinModule("node:sqlite");
  } finally {
    process.emitWarning = emitWarning;
  }
}

/** Returns the primary result code of a SQLite error; 0 for any other error. */
export function codeOf(error: unknown): number {
  return error instanceof Error && "errcode" in error && typeof error.errcode === "number" ? error.errcode & 0xff : 0;
}

function failureOf(
  error: unknown,
  { file, access }: { readonly file: string } & Required<Pick<MemoryOptions, "access">>,
) {
  const reason = codeOf(error) === DISK_FULL ? "ENOSPC: no space left on device" : messageOf(error);
  return access === "read"
    ? new ImprintError("STATE_UNREADABLE", `${file} can't be read: ${reason}`, { cause: error })
    : new ImprintError("STATE_UNWRITABLE", `${file} can't be written: ${reason}`, { cause: error });
}

function openFile(file: string, folder: string): DatabaseSync {
  const db = new (loadSqlite().DatabaseSync)(file);
  try {
    db.exec(`PRAGMA busy_timeout = ${BUSY_MS}`);
    if (versionOf(db) === 0) {
      db.exec("PRAGMA journal_mode = WAL");
      transact(db, () => createTable(db, folder));
      removeFirstEdition(folder);
    }
    checkVersion(db);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

function openToRead(file: string, folder: string): DatabaseSync {
  if (!existsSync(file)) return openEmpty(folder);
  try {
    return openFile(file, folder);
  } catch (error) {
    if (!READ_ONLY.has(codeOf(error))) throw error;
    // In a read-only folder, SQLite can't create the files that it shares with other processes.
    return new (loadSqlite().DatabaseSync)(new URL(`${pathToFileURL(file)}?immutable=1`), { readOnly: true });
  }
}

/** Creates a memory from the files of the first edition, without writing to disk. */
function openEmpty(folder: string): DatabaseSync {
  const db = new (loadSqlite().DatabaseSync)(":memory:");
  createTable(db, folder);
  return db;
}

function versionOf(db: DatabaseSync): unknown {
  return db.prepare("PRAGMA user_version").get()?.["user_version"];
}

function checkVersion(db: DatabaseSync): void {
  const version = versionOf(db);
  if (version === VERSION) return;
  throw Object.assign(new Error(`it has the version ${String(version)}`), { errcode: 26 });
}

// Another process may have created it in the meantime.
function createTable(db: DatabaseSync, folder: string): void {
  if (versionOf(db) !== 0) return;
  db.exec(
    "CREATE TABLE note (id INTEGER PRIMARY KEY, topic TEXT, name TEXT, value TEXT, sum TEXT, UNIQUE (topic, name)) STRICT",
  );
  writeNotes(db, readFirstEdition(folder));
  db.exec(`PRAGMA user_version = ${VERSION}`);
}

function readNotes(db: DatabaseSync, topic: string): ReadonlyMap<string, unknown> {
  const rows = db.prepare("SELECT name, value, sum FROM note WHERE topic = ? ORDER BY id").iterate(topic);
  const notes = new Map<string, unknown>();
  for (const { name, value, sum } of rows) {
    if (typeof name === "string" && typeof value === "string" && sumOf(value) === sum) {
      notes.set(name, JSON.parse(value));
    }
  }
  return notes;
}

function writeNotes(db: DatabaseSync, notes: readonly Note[]): void {
  const put = db.prepare(
    "INSERT INTO note (topic, name, value, sum) VALUES (?, ?, ?, ?) ON CONFLICT (topic, name) DO UPDATE SET value = excluded.value, sum = excluded.sum",
  );
  const forget = db.prepare("DELETE FROM note WHERE topic = ? AND name = ?");
  for (const { topic, name, value } of notes) {
    const json = value === undefined ? undefined : JSON.stringify(value);
    if (json === undefined) forget.run(topic, name);
    else put.run(topic, name, json, sumOf(json));
  }
}

// SQLite doesn't detect bytes that the disk has changed.
function sumOf(json: string): string {
  return sha256(json).slice(0, 16);
}

function transact(db: DatabaseSync, work: () => void): void {
  db.exec("BEGIN IMMEDIATE");
  try {
    work();
    db.exec("COMMIT");
  } catch (error) {
    if (db.isTransaction) db.exec("ROLLBACK");
    throw error;
  }
}

function setAside(file: string): string {
  const aside = file.replace(/\.sqlite$/, ".damaged.sqlite");
  renameSync(file, aside);
  for (const end of ["-wal", "-shm"]) rmSync(`${file}${end}`, { force: true });
  return aside;
}

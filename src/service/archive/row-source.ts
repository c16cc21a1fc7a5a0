import type { Row } from "./format.ts";

/** The rows of a service as they were at one moment, whatever is written meanwhile. */
export interface RowSource {
  readonly schemaVersion: number;
  /** All tables with their number of rows, each after those that it refers to. */
  readonly tables: readonly { readonly name: string; readonly rows: number }[];
  /** The hashes of the files that records name. */
  readonly blobHashes: readonly string[];
  readRows(table: string): Iterable<Row> | AsyncIterable<Row>;
  close(): Promise<void>;
}

/** A new and empty database that rows are put into. Nothing of it is in use before `finish`. */
export interface RowTarget {
  /** Adds rows of one table; tables come in the order of the manifest. Throws `BACKUP_DAMAGED` for what doesn't fit. */
  insert(table: string, rows: readonly Row[]): Promise<void>;
  /** Checks what the rows refer to and brings them to the schema of this program. */
  finish(): Promise<void>;
  /** Ends the work; what was not finished is gone. */
  close(): Promise<void>;
}

/** Tables whose rows belong to running processes and mean nothing elsewhere. */
const PASSING: ReadonlySet<string> = new Set(["job", "schema_version"]);

export function isKeptTable(name: string): boolean {
  return !PASSING.has(name) && !name.startsWith("sqlite_");
}

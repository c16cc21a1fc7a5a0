import * as z from "zod";
import { ImprintError } from "../../base/error.ts";

// A backup is a gzipped tar archive:
//   manifest.json                 what it is and what it holds
//   rows/<table>/<number>.ndjson  the rows of a table, one JSON object a line, in parts of a few megabytes
//   blobs/<sha256>                the files of the library
//   checksums.json                SHA-256 of every part with rows, and which files were missing; last, so that a cut
//                                 archive lacks it

export const MANIFEST = "manifest.json";
export const CHECKSUMS = "checksums.json";

const manifestSchema = z.object({
  format: z.literal("imprint-backup"),
  formatVersion: z.literal(1),
  createdAt: z.iso.datetime(),
  /** Number of the last migration applied to the database. */
  schemaVersion: z.int().positive(),
  tables: z.array(z.object({ name: z.string().regex(/^[a-z][a-z0-9_]*$/), rows: z.int().nonnegative() })),
  /** Number of files that the records reference. */
  blobs: z.int().nonnegative(),
});

export type Manifest = Readonly<z.infer<typeof manifestSchema>>;

const hashSchema = z.string().regex(/^[0-9a-f]{64}$/);
const endingSchema = z.object({
  checksums: z.record(z.string(), hashSchema),
  /** Referenced files that were missing when the backup was made. */
  missingBlobs: z.array(hashSchema).readonly(),
});

export type Ending = Readonly<z.infer<typeof endingSchema>>;

/** Value of a column. */
export type RowValue = string | number | Uint8Array | null;

export type Row = Readonly<Record<string, RowValue>>;

const rowSchema = z.record(
  z.string(),
  z.union([z.string(), z.number(), z.null(), z.strictObject({ base64: z.base64() })]),
);

export function parseManifest(text: string): Manifest {
  return parseWith(manifestSchema, text, "Its manifest");
}

export function parseEnding(text: string): Ending {
  return parseWith(endingSchema, text, "Its checksum list");
}

/** Formats a row as one line of JSON, with bytes as `{ "base64": … }`. */
export function formatRow(row: Row): string {
  const values = Object.entries(row).map(([column, value]) => [
    column,
    value instanceof Uint8Array ? { base64: Buffer.from(value).toString("base64") } : value,
  ]);
  return `${JSON.stringify(Object.fromEntries(values))}\n`;
}

/** Parses the rows of an entry. Throws `BACKUP_DAMAGED`. */
export function parseRows(text: string): readonly Row[] {
  const lines = text.split("\n");
  if (lines.pop() !== "") throw damaged("A row is truncated.");
  return lines.map((line) => {
    const row = parseWith(rowSchema, line, "A row");
    const values = Object.entries(row).map(([column, value]): [string, RowValue] => [
      column,
      typeof value === "object" && value !== null ? Buffer.from(value.base64, "base64") : value,
    ]);
    return Object.fromEntries(values);
  });
}

export function rowsEntry(table: string, part: number): string {
  return `rows/${table}/${String(part).padStart(6, "0")}.ndjson`;
}

/** Determines the kind of an archive entry by its name. */
export function parseEntryName(
  name: string,
): { readonly kind: "rows"; readonly table: string } | { readonly kind: "blob"; readonly hash: string } | undefined {
  const [, table] = /^rows\/([a-z][a-z0-9_]*)\/\d{6,}\.ndjson$/.exec(name) ?? [];
  if (table !== undefined) return { kind: "rows", table };
  const [, hash] = /^blobs\/([0-9a-f]{64})$/.exec(name) ?? [];
  return hash === undefined ? undefined : { kind: "blob", hash };
}

/** Converts a database value to a row value. */
export function asRowValue(value: unknown): RowValue {
  if (value === null || typeof value === "string" || typeof value === "number") return value;
  if (value instanceof Uint8Array) return value;
  throw damaged("A row has a value of an unsupported type.");
}

/** A consistent snapshot of a service's rows, unaffected by concurrent writes. */
export interface RowSource {
  readonly schemaVersion: number;
  readonly tables: readonly { readonly name: string; readonly rows: number }[];
  /** Hashes of the files that records reference. */
  readonly blobHashes: readonly string[];
  readRows(table: string): Iterable<Row> | AsyncIterable<Row>;
  close(): Promise<void>;
}

/** A new, empty database to insert rows into. It isn't used before `finish`. */
export interface RowTarget {
  /**
   * Inserts rows of a table; tables come in the order of the manifest. Throws `BACKUP_DAMAGED` for rows that don't fit.
   */
  insert(table: string, rows: readonly Row[]): Promise<void>;
  /** Checks references and migrates the rows to the current schema. */
  finish(): Promise<void>;
  /** Closes the target; unfinished work is discarded. */
  close(): Promise<void>;
}

/** Tables whose rows belong to running processes and are useless elsewhere. */
const PASSING: ReadonlySet<string> = new Set(["job", "schema_version"]);

export function isKeptTable(name: string): boolean {
  return !PASSING.has(name) && !name.startsWith("sqlite_");
}

/** Tables that have rows as soon as a service has started once. */
export const ALWAYS_FILLED: ReadonlySet<string> = new Set([
  "account",
  "account_user",
  "audit_entry",
  "request_log",
  "session",
  "sign_in_link",
  "rate_window",
]);

/** Progress of a backup or restore. */
export interface ArchiveProgress {
  readonly rows: number;
  readonly blobs: number;
}

export type OnProgress = (done: ArchiveProgress, total: ArchiveProgress) => void;

export function totalOf({ tables, blobs }: Pick<Manifest, "tables" | "blobs">): ArchiveProgress {
  return { rows: tables.reduce((sum, { rows }) => sum + rows, 0), blobs };
}

export function damaged(reason: string, cause?: unknown): ImprintError {
  return new ImprintError("BACKUP_DAMAGED", reason, { cause });
}

function parseWith<Schema extends z.ZodType>(schema: Schema, text: string, what: string): z.infer<Schema> {
  try {
    return schema.parse(JSON.parse(text));
  } catch (error) {
    throw damaged(`${what} can't be read.`, error);
  }
}

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
  /** The number of the last migration that the database had seen. */
  schemaVersion: z.int().positive(),
  /** Every table with the number of its rows, each after those that it refers to. */
  tables: z.array(z.object({ name: z.string().regex(/^[a-z][a-z0-9_]*$/), rows: z.int().nonnegative() })),
  /** How many files the records name. */
  blobs: z.int().nonnegative(),
});

export type Manifest = Readonly<z.infer<typeof manifestSchema>>;

const hashSchema = z.string().regex(/^[0-9a-f]{64}$/);
const endingSchema = z.object({
  checksums: z.record(z.string(), hashSchema),
  /** Files that records name and that were not there when the backup was made. */
  missingBlobs: z.array(hashSchema).readonly(),
});

export type Ending = Readonly<z.infer<typeof endingSchema>>;

/** What a column of a row holds. */
export type RowValue = string | number | Uint8Array | null;

export type Row = Readonly<Record<string, RowValue>>;

const rowSchema = z.record(
  z.string(),
  z.union([z.string(), z.number(), z.null(), z.strictObject({ base64: z.base64() })]),
);

export function parseManifest(text: string): Manifest {
  return parseWith(manifestSchema, text, "Its table of contents");
}

export function parseEnding(text: string): Ending {
  return parseWith(endingSchema, text, "Its list of checksums");
}

/** A row as one line of JSON, bytes as `{ "base64": … }`. */
export function formatRow(row: Row): string {
  const values = Object.entries(row).map(([column, value]) => [
    column,
    value instanceof Uint8Array ? { base64: Buffer.from(value).toString("base64") } : value,
  ]);
  return `${JSON.stringify(Object.fromEntries(values))}\n`;
}

/** The rows of a part; throws `BACKUP_DAMAGED`. */
export function parseRows(text: string): readonly Row[] {
  const lines = text.split("\n");
  if (lines.pop() !== "") throw damaged("A row is cut.");
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

/** What an entry of an archive is, by its name. */
export function parseEntryName(
  name: string,
): { readonly kind: "rows"; readonly table: string } | { readonly kind: "blob"; readonly hash: string } | undefined {
  const [, table] = /^rows\/([a-z][a-z0-9_]*)\/\d{6,}\.ndjson$/.exec(name) ?? [];
  if (table !== undefined) return { kind: "rows", table };
  const [, hash] = /^blobs\/([0-9a-f]{64})$/.exec(name) ?? [];
  return hash === undefined ? undefined : { kind: "blob", hash };
}

/** A value that a database gave, as a value of a row. */
export function asRowValue(value: unknown): RowValue {
  if (value === null || typeof value === "string" || typeof value === "number") return value;
  if (value instanceof Uint8Array) return value;
  throw damaged("A row holds a value that no table of the service has.");
}

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

/** Tables that have rows as soon as a service has been started once. */
export const ALWAYS_FILLED: ReadonlySet<string> = new Set([
  "account",
  "account_user",
  "audit_entry",
  "request_log",
  "session",
  "sign_in_link",
  "rate_window",
]);

/** How much of a service was saved or put back. */
export interface ArchiveProgress {
  readonly rows: number;
  readonly blobs: number;
}

export type OnProgress = (done: ArchiveProgress, total: ArchiveProgress) => void;

/** Everything that a backup holds. */
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

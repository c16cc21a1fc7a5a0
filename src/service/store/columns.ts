import { CamelCasePlugin, Kysely, type Dialect, type KyselyPlugin } from "kysely";
import type { Database, Tables } from "./tables.ts";

// Rows in memory have the names and values of records: `createdAt` is a `Date` where the database holds `created_at` in
// milliseconds since 1970, lists and objects are JSON texts there, and flags are 0 and 1.

type Column = { readonly [Table in keyof Tables]: keyof Tables[Table] & string }[keyof Tables];
type ValueOf<Name extends string> = {
  readonly [Table in keyof Tables]: Name extends keyof Tables[Table] ? Tables[Table][Name] : never;
}[keyof Tables];
type Plain = string | number | Date | Uint8Array | null;
/** The columns whose values a database can't hold as they are, apart from times, which are known by their names. */
type EncodedColumn = { readonly [Name in Column]: ValueOf<Name> extends Plain ? never : Name }[Column];

type Decode = (stored: unknown) => unknown;

const ENCODED: Readonly<Record<EncodedColumn, Decode>> = {
  colors: parseJson,
  data: parseJson,
  events: parseJson,
  fields: parseJson,
  fonts: parseJson,
  lead: isSet,
  logos: parseJson,
  metadata: parseJson,
  open: isSet,
  resources: parseJson,
  scopes: parseJson,
  spam: isSet,
  tags: parseJson,
  warnings: parseJson,
};

const DECODERS: ReadonlyMap<string, Decode> = new Map(Object.entries(ENCODED));
const TIME = /(?:At|Since|Until)$/;

/** Opens a database whose queries and rows have the names and values of records. */
export function createDatabase(dialect: Dialect): Database {
  return new Kysely<Tables>({ dialect, plugins: [createColumns()] });
}

function createColumns(): KyselyPlugin {
  const names = new CamelCasePlugin();
  return {
    transformQuery: (query) => names.transformQuery(query),
    transformResult: async ({ result }) => ({ ...result, rows: result.rows.map(decodeRow) }),
  };
}

interface KnownColumn {
  readonly name: string;
  readonly decode: Decode | undefined;
}

const known = new Map<string, KnownColumn>();

/** A row of the database as a record. */
export function decodeRow(row: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const record: Record<string, unknown> = {};
  // Not `Object.entries`: this runs for every row that is read.
  for (const column in row) {
    const { name, decode } = known.get(column) ?? learnColumn(column);
    const value = row[column];
    record[name] = decode === undefined || value === null ? value : decode(value);
  }
  return record;
}

function learnColumn(column: string): KnownColumn {
  const name = column.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  const learned = { name, decode: DECODERS.get(name) ?? (TIME.test(name) ? parseTime : undefined) };
  known.set(column, learned);
  return learned;
}

function parseTime(stored: unknown): Date {
  return new Date(Number(stored));
}

function parseJson(stored: unknown): unknown {
  return JSON.parse(String(stored));
}

function isSet(stored: unknown): boolean {
  return Number(stored) === 1;
}

/** A value of a record as a database holds it. */
export function encodeValue(value: unknown): unknown {
  if (typeof value === "boolean") return value ? 1 : 0;
  if (typeof value !== "object" || value === null || value instanceof Uint8Array) return value;
  return value instanceof Date ? value.getTime() : JSON.stringify(value);
}

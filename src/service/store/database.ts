import {
  CamelCasePlugin,
  type Compilable,
  type CompiledQuery,
  type Dialect,
  type DialectAdapter,
  type SqliteStatement,
  Kysely,
  type KyselyPlugin,
  PostgresAdapter,
  type RawBuilder,
  sql,
} from "kysely";
import type { Database, Tables } from "./tables.ts";

// Rows in memory use the names and values of records: `createdAt` is a `Date`, while the database stores `created_at`
// in milliseconds since 1970. It stores lists and objects as JSON, and flags as 0 and 1.

type Column = { readonly [Table in keyof Tables]: keyof Tables[Table] & string }[keyof Tables];
type ValueOf<Name extends string> = {
  readonly [Table in keyof Tables]: Name extends keyof Tables[Table] ? Tables[Table][Name] : never;
}[keyof Tables];
type Plain = string | number | Date | Uint8Array | null;
type EncodedColumn = { readonly [Name in Column]: ValueOf<Name> extends Plain ? never : Name }[Column];

type Decode = (stored: unknown) => unknown;

const ENCODED: Readonly<Record<EncodedColumn, Decode>> = {
  assetIds: parseJson,
  colors: parseJson,
  data: parseJson,
  design: parseJson,
  events: parseJson,
  fields: parseJson,
  fonts: parseJson,
  formMails: isSet,
  frame: parseJson,
  hasForms: isSet,
  invitation: isSet,
  kept: parseJson,
  lead: isSet,
  logos: parseJson,
  metadata: parseJson,
  open: isSet,
  pending: isSet,
  read: isSet,
  resources: parseJson,
  scopes: parseJson,
  spam: isSet,
  tags: parseJson,
  warnings: parseJson,
  whole: isSet,
};

const DECODERS: ReadonlyMap<string, Decode> = new Map(Object.entries(ENCODED));
const TIME = /(?:At|Since|Until)$/;

/** Opens a database whose queries and rows use the names and values of records. */
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

function decodeRow(row: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const record: Record<string, unknown> = {};
  // Not `Object.entries`: this runs for every row that is read.
  for (const column in row) {
    const { name, decode } = known.get(column) ?? learnColumn(column);
    const value = row[column];
    record[name] = decode === undefined || value === null ? value : decode(value);
  }
  return record;
}

export function createDecoder(columns: readonly string[]): (values: readonly unknown[]) => Record<string, unknown> {
  const fields = columns.map((column) => known.get(column) ?? learnColumn(column));
  return (values) => {
    const record: Record<string, unknown> = {};
    let index = 0;
    for (const { name, decode } of fields) {
      const value = values[index++];
      record[name] = decode === undefined || value === null ? value : decode(value);
    }
    return record;
  };
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

/** Converts a record's value to its database value. */
export function encodeValue(value: unknown): unknown {
  if (typeof value === "boolean") return value ? 1 : 0;
  if (typeof value !== "object" || value === null || value instanceof Uint8Array) return value;
  return value instanceof Date ? value.getTime() : JSON.stringify(value);
}

/** Placeholder in a statement for a value passed with each run. */
export type ParameterOf<Parameters> = <Name extends keyof Parameters>(name: Name) => RawBuilder<Parameters[Name]>;

export type Statement<Parameters, Row> = (database: Database, parameters: Parameters) => Promise<readonly Row[]>;

/**
 * Creates a statement that is built once per kind of database, for queries that run with every request: building a
 * query takes longer than running it. Curried, since TypeScript infers either all type parameters or none.
 *
 * @example
 * const selectTitle = createStatement<{ id: string }>()((database, parameter) =>
 *   database.selectFrom("page").select("title").where("id", "=", parameter("id")),
 * );
 */
export function createStatement<Parameters extends object>() {
  return <Row>(build: Build<Parameters, Compilable<Row>>): Statement<Parameters, Row> => {
    const run = createRun<Parameters, Row>((database, parameter) => build(database, parameter).compile());
    return async (database, parameters) => (await run(database, parameters)).rows;
  };
}

/** Like `createStatement`, for raw SQL. Also returns the number of changed rows. */
export function createSqlStatement<Parameters extends object, Row>(
  build: Build<Parameters, RawBuilder<Row>>,
): (database: Database, parameters: Parameters) => Promise<Outcome<Row>> {
  return createRun<Parameters, Row>((database, parameter) => build(database, parameter).compile(database));
}

type Fields = Readonly<Record<string, unknown>>;

interface Columns {
  readonly match: Fields;
  readonly set: Fields;
}

const statements = new Map<string, ReturnType<typeof createSqlStatement<Fields, unknown>>>();

/** Runs a statement that is built once for these columns, whatever their values. */
export async function runBuilt<Row>(
  database: Database,
  { shape, match = {}, set = {} }: { readonly shape: string; readonly match?: object; readonly set?: object },
  build: (given: Columns) => RawBuilder<Row>,
): Promise<Outcome<Row>> {
  const values: Record<string, unknown> = {};
  let key = shape;
  let isComputed = false;
  for (const [column, value] of Object.entries(match)) {
    key += value === null ? ` ${column} null` : ` ${column}`;
    values[`match ${column}`] = value;
  }
  for (const [column, value] of Object.entries(set)) {
    key += `,${column}`;
    values[`set ${column}`] = value;
    isComputed ||= typeof value === "object" && value !== null && "isRawBuilder" in value;
  }
  if (isComputed) {
    const { rows, numAffectedRows = 0n } = await build({ match: { ...match }, set: { ...set } }).execute(database);
    return { rows, changed: Number(numAffectedRows) };
  }
  const statement =
    statements.get(key) ??
    createSqlStatement<Fields, unknown>((_, parameter) => {
      const entriesOf = (kind: string, fields: object) =>
        Object.entries(fields).map(([column, value]) => {
          const isNull = kind === "match" && value === null;
          return [column, isNull ? null : parameter(`${kind} ${column}`)] as const;
        });
      return build({
        match: Object.fromEntries(entriesOf("match", match)),
        set: Object.fromEntries(entriesOf("set", set)),
      });
    });
  statements.set(key, statement);
  const { rows, changed } = await statement(database, values);
  // The shape names the table that these rows come from.
  return { rows: rows as readonly Row[], changed };
}

type Build<Parameters, Query> = (database: Database, parameter: ParameterOf<Parameters>) => Query;

export interface Outcome<Row> {
  readonly rows: readonly Row[];
  readonly changed: number;
}

function createRun<Parameters extends object, Row>(build: Build<Parameters, CompiledQuery<Row>>) {
  const known = new WeakMap<DialectAdapter, Prepared<Parameters, Row>>();

  function prepareFor(database: Database): Prepared<Parameters, Row> {
    const { adapter } = database.getExecutor();
    const prepared = known.get(adapter) ?? prepare<Parameters, Row>((parameter) => build(database, parameter));
    known.set(adapter, prepared);
    return prepared;
  }

  return async (database: Database, parameters: Parameters): Promise<Outcome<Row>> => {
    const { compiled, values } = prepareFor(database);
    const bound = values.map(({ name, constant }) => (name === undefined ? constant : parameters[name]));
    const connection = findFreeSqlite(database);
    if (connection === undefined) {
      const { rows, numAffectedRows = 0n } = await database.executeQuery<Row>({ ...compiled, parameters: bound });
      return { rows, changed: Number(numAffectedRows) };
    }
    const statement = connection.prepare(compiled.sql);
    if (!statement.reader) return { rows: [], changed: Number(statement.run(bound).changes) };
    // Unchecked, as in Kysely: the statement was built for these rows.
    return { rows: statement.records(bound) as readonly Row[], changed: 0 };
  };
}

interface Prepared<Parameters, Row> {
  readonly compiled: CompiledQuery<Row>;
  /** In statement order: the name of a parameter, or a constant. */
  readonly values: readonly { readonly name: keyof Parameters | undefined; readonly constant: unknown }[];
}

function prepare<Parameters, Row>(
  build: (parameter: ParameterOf<Parameters>) => CompiledQuery<Row>,
): Prepared<Parameters, Row> {
  const names = new Map<unknown, keyof Parameters>();
  const compiled = build((name) => {
    const mark = Object.freeze({});
    names.set(mark, name);
    return sql`${mark}`;
  });
  return { compiled, values: compiled.parameters.map((constant) => ({ name: names.get(constant), constant })) };
}

// Differences between SQLite and PostgreSQL. All other SQL works on both.

export function isPostgres(database: Database): boolean {
  return database.getExecutor().adapter instanceof PostgresAdapter;
}

/** Subquery of texts for `in`: one parameter, however many there are. */
export function textsIn(database: Database, texts: readonly string[]): RawBuilder<string> {
  return textsOfJson(database, JSON.stringify(texts));
}

/** Like `textsIn`, for texts in a JSON array. */
export function textsOfJson(database: Database, json: string | RawBuilder<string>): RawBuilder<string> {
  return isPostgres(database)
    ? sql`(select json_array_elements_text(cast(${json} as json)))`
    : sql`(select value from json_each(${json}))`;
}

/** Whether a JSON list column contains this text. */
export function hasText(database: Database, column: string, text: string): RawBuilder<boolean> {
  const list = sql.ref(column);
  const texts = isPostgres(database)
    ? sql`json_array_elements_text(cast(${list} as json)) as item (value)`
    : sql`json_each(${list}) as item`;
  return sql<boolean>`exists (select 1 from ${texts} where item.value = ${text})`;
}

/**
 * Returns a LIKE pattern that matches a text anywhere, with its wildcards escaped. Use with `lower(column)` and `escape
 * '\'`. Databases differ in case sensitivity; in lowercase, both find the same.
 */
export function likePattern(text: string): string {
  return `%${toLower(text).replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
}

// The databases' `lower` changes ASCII letters only.
function toLower(text: string): string {
  return text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** Cached data whose validity a revision number tracks. */
export type Remembered = "keys" | "pages";

/** The single connection of an SQLite database, for statements that need only SQL from Kysely. */
export interface DirectSqlite {
  prepare(sql: string): DirectStatement;
  /** Whether a transaction is open. */
  isInTransaction(): boolean;
  /** A number that grows before any write, by any process, that may invalidate the cache. */
  findRevision(kind: Remembered): number;
}

export interface DirectStatement extends SqliteStatement {
  records(parameters: readonly unknown[]): readonly Record<string, unknown>[];
}

const connections = new WeakMap<DialectAdapter, DirectSqlite>();

export function registerSqlite(database: Database, connection: DirectSqlite): void {
  connections.set(database.getExecutor().adapter, connection);
}

/**
 * Returns the revision that cached data belongs to. Read it before the data to cache. `undefined` on PostgreSQL, where
 * reading it takes as long as reading the record itself.
 */
export function findRevision(database: Database, kind: Remembered): number | undefined {
  return connections.get(database.getExecutor().adapter)?.findRevision(kind);
}

/**
 * Returns the connection if it can be used right now: by the open transaction, or by anyone if none is open.
 * `undefined` if the caller has to wait, or if the database isn't SQLite.
 */
export function findFreeSqlite(database: Database): DirectSqlite | undefined {
  const connection = connections.get(database.getExecutor().adapter);
  if (connection === undefined) return undefined;
  return database.isTransaction || !connection.isInTransaction() ? connection : undefined;
}

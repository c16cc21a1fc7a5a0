import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from "kysely";
import type { Pool, PoolClient, QueryConfig, QueryResult } from "pg";
import { encodeValue } from "../database.ts";
import { isInFailedTransaction, isOutage, isStalePlan, sqlStateOf } from "./sql-state.ts";
import { StoreLostError } from "../store-lost-error.ts";

/**
 * Kysely dialect for PostgreSQL: prepares each statement once per connection, reports an outage as `StoreLostError`,
 * and accepts every character in text.
 */
export function createPostgresDialect(pool: Pool): Dialect {
  return {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => createDriver(pool),
    createIntrospector: (database) => new PostgresIntrospector(database),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  };
}

/** A connection in use. A broken one isn't returned to the pool. */
interface HeldClient {
  readonly client: PoolClient;
  isBroken: boolean;
}

function createDriver(pool: Pool): Driver {
  const statements = createPreparedStatements();
  const clients = new WeakMap<DatabaseConnection, HeldClient>();
  return {
    async init() {},
    async acquireConnection() {
      const client = await explained(() => pool.connect());
      const held: HeldClient = { client, isBroken: false };
      const connection = createConnection(held, statements);
      clients.set(connection, held);
      return connection;
    },
    async beginTransaction(connection) {
      await connection.executeQuery(CompiledQuery.raw("begin"));
    },
    async commitTransaction(connection) {
      await connection.executeQuery(CompiledQuery.raw("commit"));
    },
    async rollbackTransaction(connection) {
      const held = clients.get(connection);
      // The server rolls back when the connection ends. The caller needs the error that made the transaction fail.
      if (held?.isBroken === true) return;
      try {
        await connection.executeQuery(CompiledQuery.raw("rollback"));
      } catch {
        if (held !== undefined) held.isBroken = true;
      }
    },
    async releaseConnection(connection) {
      const held = clients.get(connection);
      held?.client.release(held.isBroken);
    },
    async destroy() {
      await pool.end();
    },
  };
}

function createConnection(held: HeldClient, statements: PreparedStatements): DatabaseConnection {
  const { client } = held;
  return {
    async executeQuery({ sql, parameters }) {
      const values = parameters.map(storable);
      const run = () => statements.run({ sql, values }, (query) => client.query(query));
      const result: QueryResult | QueryResult[] = await explained(run).catch((error: unknown) => {
        const isUnanswered = error instanceof StoreLostError && sqlStateOf(error.cause) === undefined;
        if (isUnanswered) held.isBroken = true;
        throw error;
      });
      // Several statements without values return an array of results; only migrations do this.
      if (Array.isArray(result)) return { rows: [] };
      const { command, rowCount, rows } = result;
      if (sql === "commit" && command === "ROLLBACK") throw new Error("Can't commit a failed transaction.");
      return CHANGES.has(command) ? { rows, numAffectedRows: BigInt(rowCount ?? 0) } : { rows };
    },
    streamQuery() {
      throw new TypeError("Streaming isn't supported: use keyset pagination.");
    },
  };
}

const CHANGES: ReadonlySet<string> = new Set(["INSERT", "UPDATE", "DELETE"]);

// The only character that PostgreSQL can't store in text.
function storable(parameter: unknown): unknown {
  const value = encodeValue(parameter);
  return typeof value === "string" && value.includes("\0") ? value.replaceAll("\0", "\u{FFFD}") : value;
}

/** Runs a query and distinguishes outages from other errors. */
async function explained<Result>(ask: () => Promise<Result>): Promise<Result> {
  try {
    return await ask();
  } catch (error) {
    const state = sqlStateOf(error);
    // Without a state, the error doesn't come from the server: it was unreachable, or the connection broke.
    const isLost = state === undefined ? !(error instanceof TypeError) : isOutage(state);
    throw isLost ? new StoreLostError("The database doesn't respond.", { cause: error }) : error;
  }
}

/** Names statements, so that PostgreSQL parses and plans each one once per connection. */
export interface PreparedStatements {
  /** Sends a statement by name, and again without a name if that fails. */
  run<Result>(statement: Statement, send: (query: QueryConfig) => Promise<Result>): Promise<Result>;
}

interface Statement {
  readonly sql: string;
  readonly values: unknown[];
}

// The service has a few hundred statements; the limit bounds the server's memory if there are more.
const MAX_NAMES = 500;

export function createPreparedStatements(): PreparedStatements {
  const names = new Map<string, string>();
  let isOn = true;

  function nameOf({ sql, values }: Statement): string | undefined {
    // Without values, it may contain several statements, which can't be prepared together.
    if (!isOn || values.length === 0) return undefined;
    const known = names.get(sql);
    if (known !== undefined || names.size >= MAX_NAMES) return known;
    const name = `imprint_${names.size}`;
    names.set(sql, name);
    return name;
  }

  return {
    async run(statement, send) {
      const { sql: text, values } = statement;
      const name = nameOf(statement);
      try {
        return await send({ name, text, values });
      } catch (error) {
        if (name === undefined || !isStalePlan(sqlStateOf(error))) throw error;
        isOn = false;
        return await send({ text, values }).catch((again: unknown) => {
          // The first error aborted the transaction, and shows the caller that it can retry.
          throw isInFailedTransaction(sqlStateOf(again)) ? error : again;
        });
      }
    },
  };
}

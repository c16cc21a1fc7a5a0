import {
  CompiledQuery,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type DatabaseConnection,
  type Dialect,
  type Driver,
} from "kysely";
import type { Pool, PoolClient, QueryResult } from "pg";
import { encodeValue } from "../columns.ts";
import { StoreLostError } from "../store-lost-error.ts";
import { createPreparedStatements, type PreparedStatements } from "./prepared-statements.ts";
import { isOutage, sqlStateOf } from "./sql-state.ts";

/**
 * PostgreSQL for kysely, as the service needs it: statements are planned once for each connection, an outage is thrown as
 * `StoreLostError`, and a text may hold every character.
 */
export function createPostgresDialect(pool: Pool): Dialect {
  return {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => createDriver(pool),
    createIntrospector: (database) => new PostgresIntrospector(database),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  };
}

/** A connection in use. One that is broken does not go back to the pool, where the next would wait for it in vain. */
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
      // The server undoes it with the connection. What made the transaction fail is what its caller has to hear.
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
      // Several statements without values have a result each; only migrations are sent so.
      if (Array.isArray(result)) return { rows: [] };
      const { command, rowCount, rows } = result;
      if (sql === "commit" && command === "ROLLBACK") throw new Error("A failed transaction was to be committed.");
      return CHANGES.has(command) ? { rows, numAffectedRows: BigInt(rowCount ?? 0) } : { rows };
    },
    streamQuery() {
      throw new TypeError("Rows are read in parts by their keys.");
    },
  };
}

const CHANGES: ReadonlySet<string> = new Set(["INSERT", "UPDATE", "DELETE"]);

// The one character that PostgreSQL's texts can't hold.
function storable(parameter: unknown): unknown {
  const value = encodeValue(parameter);
  return typeof value === "string" && value.includes("\0") ? value.replaceAll("\0", "\u{FFFD}") : value;
}

/** Runs what asks the server, and tells an outage from a mistake. */
async function explained<Result>(ask: () => Promise<Result>): Promise<Result> {
  try {
    return await ask();
  } catch (error) {
    const state = sqlStateOf(error);
    // What has no state did not come from the server: it was not reached, or the connection broke.
    const isLost = state === undefined ? !(error instanceof TypeError) : isOutage(state);
    throw isLost ? new StoreLostError("The database does not answer.", { cause: error }) : error;
  }
}

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

/** Runs what asks the server, and distinguishes an outage from a mistake. */
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

/** Gives statements names, by which PostgreSQL parses and plans each of them once for a connection. */
export interface PreparedStatements {
  /** Sends a statement; one that can't be run by its name is sent again without. */
  run<Result>(statement: Statement, send: (query: QueryConfig) => Promise<Result>): Promise<Result>;
}

interface Statement {
  readonly sql: string;
  readonly values: unknown[];
}

// The service has a few hundred statements; the bound only keeps what unforeseen ones take of the server in check.
const MAX_NAMES = 500;

export function createPreparedStatements(): PreparedStatements {
  const names = new Map<string, string>();
  let isOn = true;

  function nameOf({ sql, values }: Statement): string | undefined {
    // Without values it may be several statements, which no name can stand for.
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
          // The transaction has failed with the first one. Its error says that it can be done again.
          throw isInFailedTransaction(sqlStateOf(again)) ? error : again;
        });
      }
    },
  };
}

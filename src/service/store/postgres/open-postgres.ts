import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { Pool, types, type CustomTypesConfig } from "pg";
import { ImprintError, messageOf } from "../../../base/error.ts";
import type { Logger } from "../../../base/log.ts";
import { NO_DAMAGE } from "../damage.ts";
import { createDatabase } from "../database.ts";
import type { OpenDatabase } from "../open-store.ts";
import { StoreLostError } from "../store-lost-error.ts";
import { parseDatabaseUrl, type DatabaseAddress } from "./database-url.ts";
import { migratePostgres } from "./migrate-postgres.ts";
import { createPostgresDialect } from "./postgres-dialect.ts";
import { createSchemaSnapshots } from "./schema-snapshots.ts";

export interface PostgresOptions {
  readonly databaseUrl: string;
  /** Uses a temporary schema that `close` drops. */
  readonly isEphemeral: boolean;
  readonly now: Date;
  readonly logger: Logger;
}

// A server accepts 100 connections by default.
const MAX_CONNECTIONS = 10;
const CONNECT_TIMEOUT_MS = 5_000;
const STATEMENT_TIMEOUT_MS = 15_000;
// A process that hangs in a transaction must not block everyone's writes.
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 30_000;

/**
 * Connects to a PostgreSQL database and migrates its schema. Throws `OPTIONS_INVALID`, `STORAGE_UNREACHABLE` or
 * `STATE_UNREADABLE`, leaving nothing open.
 */
export async function openPostgres({
  databaseUrl,
  isEphemeral,
  now,
  logger,
}: PostgresOptions): Promise<Omit<OpenDatabase, "reader" | "isLogLong">> {
  const address = parseDatabaseUrl(
    databaseUrl,
    isEphemeral ? `imprint_${randomUUID().replaceAll("-", "")}` : undefined,
  );
  const { schema } = address;
  await migrateFirst(address, { now, logger });
  const database = createDatabase(createPostgresDialect(createPool(address, logger)));
  const snapshots = createSchemaSnapshots(database, schema);
  return {
    database,
    snapshots,
    damage: NO_DAMAGE,
    check: undefined,
    async close() {
      try {
        await snapshots.drop();
        if (isEphemeral) await sql`drop schema ${sql.id(schema)} cascade`.execute(database);
      } catch (error) {
        // Closing must succeed even if the database is unreachable.
        logger.warn(`Temporary schemas could not be dropped: ${messageOf(error)}`);
      } finally {
        await database.destroy();
      }
    },
  };
}

// A migration, or waiting for another process's migration, may take longer than any request.
async function migrateFirst(
  address: DatabaseAddress,
  { now, logger }: Pick<PostgresOptions, "now" | "logger">,
): Promise<void> {
  const pool = createPool(address, logger, { statementTimeoutMs: undefined });
  const database = createDatabase(createPostgresDialect(pool));
  try {
    await migratePostgres(database, address.schema, { now });
  } catch (error) {
    throw asOpenError(error, address);
  } finally {
    await database.destroy();
  }
}

export interface PoolOptions {
  /** `undefined` sets no limit. */
  readonly statementTimeoutMs: number | undefined;
}

/** Creates a connection pool with the service's settings. */
export function createPool(
  { connectionString }: DatabaseAddress,
  logger: Logger,
  { statementTimeoutMs }: PoolOptions = { statementTimeoutMs: STATEMENT_TIMEOUT_MS },
): Pool {
  const pool = new Pool({
    connectionString,
    types: NUMBERS,
    max: MAX_CONNECTIONS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    // The second one covers a server that doesn't even report its own timeout.
    ...(statementTimeoutMs !== undefined && {
      statement_timeout: statementTimeoutMs,
      query_timeout: statementTimeoutMs + 5_000,
    }),
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
    keepAlive: true,
    application_name: "astro-imprint",
  });
  // Pending queries reject when a connection breaks; without a listener, the process would exit, too.
  pool.on("connect", (client) => client.on("error", () => {}));
  // The pool replaces a closed idle connection when needed.
  pool.on("error", (error) => logger.warn(`A connection to the database was lost: ${error.message}`));
  return pool;
}

const INT8 = 20;
const NUMERIC = 1700;

// The driver returns counts and sums (`numeric`) and times (`int8`) as text, because they may exceed JavaScript's safe
// integers. Ours don't.
const NUMBERS: CustomTypesConfig = {
  getTypeParser: (type: number, format?: "text" | "binary") =>
    type === INT8 || type === NUMERIC ? Number : types.getTypeParser(type, format),
};

/** Converts an error from opening a database to an `ImprintError`. */
export function asOpenError(error: unknown, { label }: DatabaseAddress): unknown {
  if (error instanceof ImprintError) return error;
  const cause = error instanceof StoreLostError ? error.cause : error;
  return new ImprintError("STORAGE_UNREACHABLE", `The database at ${label} can't be used: ${reasonOf(cause)}`, {
    cause,
  });
}

// A host with several addresses fails with one error per address and no message of its own.
function reasonOf(error: unknown): string {
  const [first] = error instanceof AggregateError ? error.errors : [error];
  return messageOf(first);
}

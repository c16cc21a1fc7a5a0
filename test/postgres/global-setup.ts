import { findPostgres, startPostgres } from "./start-postgres.ts";
import type { PostgresServer } from "./start-postgres.ts";

let postgres: PostgresServer | undefined;

/** Starts what the switched services keep their data in. */
export async function setup(): Promise<void> {
  const binaries = await findPostgres();
  if (binaries === undefined) return;
  postgres = await startPostgres(binaries);
  process.env["IMPRINT_TEST_DATABASE_URL"] = postgres.url;
}

export async function teardown(): Promise<void> {
  await postgres?.remove();
}

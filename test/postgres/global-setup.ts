import { findPostgres, startPostgres, type PostgresServer } from "./start-postgres.ts";
import { startS3, type S3Server } from "./start-s3.ts";

let postgres: PostgresServer | undefined;
let s3: S3Server | undefined;

/** Starts the storage servers of the switched services. */
export async function setup(): Promise<void> {
  const binaries = await findPostgres();
  if (binaries === undefined) return;
  postgres = await startPostgres(binaries);
  s3 = await startS3();
  process.env["IMPRINT_TEST_DATABASE_URL"] = postgres.url;
  process.env["IMPRINT_TEST_S3"] = JSON.stringify(s3.options);
}

export async function teardown(): Promise<void> {
  await postgres?.remove();
  await s3?.close();
}

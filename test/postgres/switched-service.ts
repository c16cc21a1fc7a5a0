// Stands in the place of `src/service.ts` where suites run on PostgreSQL (vitest.postgres.config.ts).
import { createHash } from "node:crypto";
import * as service from "../../src/service.ts";
import type { RunningService, Service, ServiceOptions, StartOptions } from "../../src/service.ts";

export type * from "../../src/service.ts";

export function createService(options: ServiceOptions = {}): Service {
  return service.createService(onPostgres(options));
}

export async function startService(options: StartOptions = {}): Promise<RunningService> {
  return await service.startService(onPostgres(options));
}

/** The same options with PostgreSQL in the place of SQLite: a schema for each folder. */
function onPostgres<Options extends ServiceOptions>(options: Options): Options {
  const url = new URL(process.env["IMPRINT_TEST_DATABASE_URL"] ?? "");
  const { ephemeral = false, dataDir } = options;
  if (!ephemeral) {
    const name = createHash("sha256").update(String(dataDir)).digest("hex").slice(0, 16);
    url.searchParams.set("schema", `folder_${name}`);
  }
  return { databaseUrl: url.href, ...options };
}

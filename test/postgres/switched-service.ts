// Replaces `src/service.ts` when suites run on PostgreSQL (`npm run test:postgres`).
import { createHash } from "node:crypto";
import * as service from "../../src/service.ts";
import { bucket, serverUrl } from "./servers.ts";
import type { RunningService, Service, ServiceOptions, StartOptions } from "../../src/service.ts";

export type * from "../../src/service.ts";

export function createService(options: ServiceOptions = {}): Service {
  return service.createService(onPostgres(options));
}

export async function startService(options: StartOptions = {}): Promise<RunningService> {
  return await service.startService(onPostgres(options));
}

/** Replaces the data folder in the options with PostgreSQL and S3: a schema and a prefix for each folder. */
function onPostgres<Options extends ServiceOptions>(options: Options): Options {
  const { ephemeral = false, dataDir } = options;
  const [databaseUrl, s3] = [serverUrl(), bucket()];
  if (ephemeral) return { databaseUrl, blobs: { s3 }, ...options };
  const name = `folder_${createHash("sha256").update(String(dataDir)).digest("hex").slice(0, 16)}`;
  return { databaseUrl: `${databaseUrl}?schema=${name}`, blobs: { s3: { ...s3, prefix: `${name}/` } }, ...options };
}

import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { SqliteDialect } from "kysely";
import { SILENT_LOGGER } from "../../base/log.ts";
import { BLOB_SWEEP } from "../jobs/runner.ts";
import { createDatabase } from "../store/database.ts";
import { holdJob, releaseJob } from "../store/jobs.ts";
import { latestVersion } from "../store/migrate.ts";
import { adaptSqlite, openSqlite } from "../store/sqlite.ts";
import type { Database } from "../store/tables.ts";

/** Keeps files from being deleted that the rows of a backup still name. */
export interface SweepHold {
  release(): Promise<void>;
}

const HELD_MS = 6 * 60 * 60 * 1000;
const TRIES = 100;
const BETWEEN_TRIES_MS = 100;

/** Holds up the job that deletes unused files, for six hours at most. */
export async function holdBlobSweep(place: {
  readonly databaseUrl: string | undefined;
  readonly databaseFile: string;
  readonly schemaVersion: number;
}): Promise<SweepHold> {
  // A service of another version works in another way; the backup reports what is missing then.
  if (place.schemaVersion !== latestVersion()) return { release: async () => {} };
  const database = await open(place);
  const token = randomUUID();
  for (let tries = 0; tries < TRIES; tries++) {
    const now = new Date();
    const lease = { token, until: new Date(now.getTime() + HELD_MS) };
    if (await holdJob(database, BLOB_SWEEP, { lease, now })) break;
    await delay(BETWEEN_TRIES_MS);
  }
  return {
    async release() {
      await releaseJob(database, { name: BLOB_SWEEP, token });
      await database.destroy();
    },
  };
}

async function open({
  databaseUrl,
  databaseFile,
}: {
  readonly databaseUrl: string | undefined;
  readonly databaseFile: string;
}): Promise<Database> {
  if (databaseUrl === undefined) {
    return createDatabase(new SqliteDialect({ database: adaptSqlite(openSqlite(databaseFile)) }));
  }
  const [{ parseDatabaseUrl }, { createPool }, { createPostgresDialect }] = await Promise.all([
    import("../store/postgres/database-url.ts"),
    import("../store/postgres/open-postgres.ts"),
    import("../store/postgres/postgres-dialect.ts"),
  ]);
  const pool = createPool(parseDatabaseUrl(databaseUrl), SILENT_LOGGER);
  return createDatabase(createPostgresDialect(pool));
}

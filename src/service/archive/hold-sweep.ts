import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { Kysely, SqliteDialect } from "kysely";
import { BLOB_SWEEP } from "../jobs/names.ts";
import { holdJob, releaseJob } from "../store/jobs.ts";
import { latestVersion, readVersion } from "../store/migrate.ts";
import { adaptSqlite, openSqlite } from "../store/sqlite.ts";
import type { Tables } from "../store/tables.ts";

/** Keeps files from being deleted that the rows of a backup still name. */
export interface SweepHold {
  release(): Promise<void>;
}

const HELD_MS = 6 * 60 * 60 * 1000;
const TRIES = 100;
const BETWEEN_TRIES_MS = 100;

/** Holds up the job that deletes unused files, for six hours at most. */
export async function holdBlobSweep(databaseFile: string): Promise<SweepHold> {
  const sqlite = openSqlite(databaseFile);
  // A service of another version does its work in another way; what is missing then is told by the backup.
  if (readVersion(sqlite) !== latestVersion()) {
    sqlite.close();
    return { release: async () => {} };
  }
  const adapted = adaptSqlite(sqlite);
  const database = new Kysely<Tables>({ dialect: new SqliteDialect({ database: adapted }) });
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
      adapted.close();
    },
  };
}

import { randomUUID } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "kysely";
import type { Database, Tables } from "./tables.ts";

/** Copies of all records, for tests that return to a known state. */
export interface Snapshots {
  /** Copies all records and returns the copy's name. */
  take(): Promise<string>;
  /** Restores a copy. Returns `false` if it doesn't exist. */
  restore(name: string): Promise<boolean>;
  /** Deletes all records. */
  clear(): Promise<void>;
}

// Accounts and keys aren't restored, so that clients keep working. Blobs aren't copied: nothing deletes them while the
// service runs.
export const RECORD_TABLES = [
  "brandKit",
  "site",
  "page",
  "pageHtml",
  "deletedPage",
  "content",
  "release",
  "releasePage",
  "releaseAsset",
  "asset",
  "pageAsset",
  "blog",
  "post",
  "postAsset",
  "blogAsset",
  "brandKitAsset",
  "fileAsset",
  "unreadText",
  "recordChange",
  "idempotentRequest",
  "idempotentRecord",
  "form",
  "submission",
  "visitorSalt",
  "visitorSeen",
  "visitorCount",
  "openView",
  "openVisit",
  "visitDay",
  "visitTotal",
  "visitTrait",
  "unsummedVisit",
  "dayRoom",
  "leftOutDay",
  "viewHour",
  "viewDay",
  "referrerDay",
  "sourceDay",
  "uncountedPage",
  "scrollDay",
  "clickCellDay",
  "clickElementDay",
  "pageLayout",
  "event",
  "webhook",
  "delivery",
  "domain",
  "domainCertificate",
  "requestLog",
] as const satisfies readonly (keyof Tables)[];

/** Creates snapshots of an SQLite database, one file each. */
export function createSnapshots(database: Database, folder: string): Snapshots {
  const paths = new Map<string, string>();
  return {
    async take() {
      const name = randomUUID();
      const path = join(folder, `${name}.sqlite`);
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await sql`vacuum into ${path}`.execute(database);
      paths.set(name, path);
      return name;
    },
    async restore(name) {
      const path = paths.get(name);
      if (path === undefined) return false;
      await sql`attach database ${path} as snapshot`.execute(database);
      try {
        await database.transaction().execute(async (transaction) => {
          await clearTables(transaction);
          for (const table of RECORD_TABLES) {
            await sql`insert into main.${sql.ref(table)} select * from snapshot.${sql.ref(table)}`.execute(transaction);
          }
        });
      } finally {
        await sql`detach database snapshot`.execute(database);
      }
      return true;
    },
    async clear() {
      await database.transaction().execute(clearTables);
    },
  };
}

/** Deletes all records. Must run in a transaction. */
export async function clearTables(transaction: Database): Promise<void> {
  for (const table of RECORD_TABLES.toReversed()) await transaction.deleteFrom(table).execute();
}

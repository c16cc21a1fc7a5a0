import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { clearTables, RECORD_TABLES, type Snapshots } from "../snapshots.ts";
import type { Database } from "../tables.ts";
import { writeTransaction } from "../transactions.ts";

export interface SchemaSnapshots extends Snapshots {
  /** Drops all copies. */
  drop(): Promise<void>;
}

/** Creates snapshots of all records, each in its own schema. */
export function createSchemaSnapshots(database: Database, schema: string): SchemaSnapshots {
  const copies = new Map<string, string>();
  return {
    async take() {
      const name = randomUUID();
      const copy = `snapshot_${name.replaceAll("-", "")}`;
      await writeTransaction(database, async (transaction) => {
        await sql`create schema ${sql.id(copy)}`.execute(transaction);
        for (const table of RECORD_TABLES) {
          await sql`create table ${sql.id(copy, table)} as table ${sql.id(schema, table)}`.execute(transaction);
        }
      });
      copies.set(name, copy);
      return name;
    },
    async restore(name) {
      const copy = copies.get(name);
      if (copy === undefined) return false;
      await writeTransaction(database, async (transaction) => {
        await clearTables(transaction);
        for (const table of RECORD_TABLES) {
          await sql`insert into ${sql.id(schema, table)} select * from ${sql.id(copy, table)}`.execute(transaction);
        }
      });
      return true;
    },
    async clear() {
      await writeTransaction(database, clearTables);
    },
    async drop() {
      for (const copy of copies.values()) await sql`drop schema ${sql.id(copy)} cascade`.execute(database);
    },
  };
}

import type { Database } from "./tables.ts";

/** Forgets what was sent through forms before a time, with the events that tell of it and what was to be delivered. Has to run in a transaction. */
export async function forgetSubmissions(database: Database, before: Date): Promise<void> {
  await database
    .deleteFrom("event")
    .where("subject", "in", (build) => build.selectFrom("submission").select("id").where("createdAt", "<", before))
    .execute();
  await database.deleteFrom("submission").where("createdAt", "<", before).execute();
}

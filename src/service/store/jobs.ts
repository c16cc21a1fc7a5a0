import { sql } from "kysely";
import type { Database } from "./tables.ts";

export interface JobClaim {
  readonly name: string;
  readonly everyMs: number;
  readonly now: Date;
}

/**
 * Claims a piece of work that is to be done so often, and by one process only; answers whether it is this one's turn. One
 * that dies over the work leaves it to the next turn.
 */
export async function claimJob(database: Database, { name, everyMs, now }: JobClaim): Promise<boolean> {
  const time = now.getTime();
  const claimed = await database
    .insertInto("job")
    .values({ name, next_at: time + everyMs })
    .onConflict((conflict) =>
      conflict
        .column("name")
        .doUpdateSet({ next_at: time + everyMs })
        // A turn further away than one interval was set by a clock that was wrong.
        .where((build) => build.or([build("job.next_at", "<=", time), build("job.next_at", ">", time + everyMs)])),
    )
    .returning(sql<number>`1`.as("claimed"))
    .executeTakeFirst();
  return claimed !== undefined;
}

import { sql } from "kysely";
import { claimRow, type ClaimRequest } from "./rows.ts";
import type { Database } from "./tables.ts";

/** Makes sure that jobs are known; a new one is due at once. */
export async function ensureJobs(database: Database, names: readonly string[]): Promise<void> {
  if (names.length === 0) return;
  await database
    .insertInto("job")
    .values(names.map((name) => ({ name, dueAt: new Date(0) })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** All jobs with the time at which each is to be done next. */
export async function listJobs(
  database: Database,
): Promise<readonly { readonly name: string; readonly dueAt: Date }[]> {
  return await database.selectFrom("job").select(["name", "dueAt"]).execute();
}

export interface JobClaim extends ClaimRequest {
  readonly name: string;
  /** A job that is due later than this was planned by a clock that went wrong, and can be claimed too. */
  readonly notAfter: Date;
}

/** Claims a job that is due and that nobody runs; answers whether it did. */
export async function claimJob(database: Database, { name, now, lease, notAfter }: JobClaim): Promise<boolean> {
  const where = sql`(due_at <= ${now} or due_at > ${notAfter})`;
  return await claimRow(database, "job", { id: name, now, lease, where, set: { lastStartedAt: now } });
}

/** Keeps everybody from running a job until a time; answers `false` while somebody runs it. */
export async function holdJob(database: Database, name: string, request: ClaimRequest): Promise<boolean> {
  await ensureJobs(database, [name]);
  return await claimRow(database, "job", { ...request, id: name });
}

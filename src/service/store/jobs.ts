import { sql } from "kysely";
import { claimRow, type ClaimRequest, insertNewRows } from "./rows.ts";
import type { Database } from "./tables.ts";

/** Registers jobs; a new one is due at once. */
export async function ensureJobs(database: Database, names: readonly string[]): Promise<void> {
  const rest = { lease: null, leaseUntil: null, lastStartedAt: null, lastMs: null, lastError: null };
  await insertNewRows(
    database,
    "job",
    names.map((name) => ({ name, dueAt: new Date(0), ...rest })),
  );
}

/** Lists all jobs with their due times. */
export async function listJobs(database: Database) {
  return await database.selectFrom("job").select(["name", "dueAt"]).execute();
}

export interface JobClaim extends ClaimRequest {
  readonly name: string;
  /** A later due time comes from a wrong clock; such a job can be claimed, too. */
  readonly notAfter: Date;
}

/** Claims a job that is due and not running. Returns whether it succeeded. */
export async function claimJob(database: Database, { name, now, lease, notAfter }: JobClaim): Promise<boolean> {
  const where = sql`(due_at <= ${now} or due_at > ${notAfter})`;
  return await claimRow(database, "job", { id: name, now, lease, where, set: { lastStartedAt: now } });
}

/** Prevents a job from running until a time. Returns `false` if it is running. */
export async function holdJob(database: Database, name: string, request: ClaimRequest): Promise<boolean> {
  await ensureJobs(database, [name]);
  return await claimRow(database, "job", { ...request, id: name });
}

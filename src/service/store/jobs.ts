import { sql, type RawBuilder } from "kysely";
import type { Database } from "./tables.ts";

// A job is claimed by a lease in the database, so that of several processes only one runs it, and that another takes it
// over when the lease of one that died is over.

export interface JobLease {
  readonly token: string;
  readonly until: Date;
}

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

export interface JobClaim {
  readonly name: string;
  readonly now: Date;
  readonly lease: JobLease;
  /** A job that is due later than this was planned by a clock that went wrong, and can be claimed too. */
  readonly notAfter: Date;
}

/** Claims a job that is due and that nobody runs; answers whether it did. */
export async function claimJob(database: Database, { name, now, lease, notAfter }: JobClaim): Promise<boolean> {
  const result = await database
    .updateTable("job")
    .set({ lease: lease.token, leaseUntil: lease.until, lastStartedAt: now })
    .where("name", "=", name)
    .where((build) => build.or([build("dueAt", "<=", now), build("dueAt", ">", notAfter)]))
    .where(isFree(now))
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

export interface JobResult {
  readonly ms: number;
  /** `null` when the job was done. */
  readonly error: string | null;
  readonly dueAt: Date;
}

/** Ends a claim with what came of it. */
export async function finishJob(
  database: Database,
  { name, token }: { readonly name: string; readonly token: string },
  { ms, error, dueAt }: JobResult,
): Promise<void> {
  await database
    .updateTable("job")
    .set({ lease: null, leaseUntil: null, lastMs: ms, lastError: error, dueAt })
    .where("name", "=", name)
    .where("lease", "=", token)
    .execute();
}

/** Keeps everybody from running a job until a time; answers `false` while somebody runs it. */
export async function holdJob(
  database: Database,
  name: string,
  { lease, now }: { readonly lease: JobLease; readonly now: Date },
): Promise<boolean> {
  await ensureJobs(database, [name]);
  const result = await database
    .updateTable("job")
    .set({ lease: lease.token, leaseUntil: lease.until })
    .where("name", "=", name)
    .where(isFree(now))
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Ends a claim as if nothing had been done. */
export async function releaseJob(
  database: Database,
  { name, token }: { readonly name: string; readonly token: string },
): Promise<void> {
  await database
    .updateTable("job")
    .set({ lease: null, leaseUntil: null })
    .where("name", "=", name)
    .where("lease", "=", token)
    .execute();
}

function isFree(now: Date): RawBuilder<boolean> {
  return sql<boolean>`(lease_until is null or lease_until <= ${now})`;
}

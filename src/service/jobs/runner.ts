import { messageOf } from "../../base/error.ts";
import { claimJob, ensureJobs, listJobs } from "../store/jobs.ts";
import { endClaim, updateRows } from "../store/rows.ts";
import type { Database } from "../store/tables.ts";
import { createQueue, type Queue, type QueueOptions, type Turn } from "./queue.ts";

/** Recurring work that runs without requests. Running it twice must be harmless. */
export interface Job {
  readonly name: string;
  readonly everyMs: number;
  /** Runs soon after startup, regardless of when it last ran. */
  readonly isDueNow?: boolean;
  /** Long work throws when the signal aborts, and the next process does it. */
  run(now: Date, closing: AbortSignal): Promise<void>;
}

export interface JobOptions extends QueueOptions {
  readonly database: Database;
  readonly jobs: readonly Job[];
}

/** The job that deletes unreferenced files; a backup suspends it while copying files. */
export const BLOB_SWEEP = "blob-sweep";

const RETRY_MS = 5 * 60 * 1000;

/** Creates the queue of recurring jobs; its results are the names of the jobs that ran. */
export function createJobRunner(options: JobOptions): Queue<string> {
  const { database, jobs } = options;
  const urgent = new Set(jobs.filter(({ isDueNow }) => isDueNow).map(({ name }) => name));
  return createQueue(
    {
      name: "Running jobs",
      pollMs: 60_000,
      // Far longer than any job takes.
      leaseMs: 60 * 60 * 1000,
      async listGroups() {
        await ensureJobs(
          database,
          jobs.map(({ name }) => name),
        );
        return jobs.length === 0 ? [] : [""];
      },
      async runNext(turn) {
        for (const name of urgent) {
          await updateRows(database, "job", { match: { name }, set: { dueAt: new Date(0) } });
          urgent.delete(name);
        }
        for (const job of await findDue(options, turn.now)) {
          const notAfter = new Date(turn.now.getTime() + job.everyMs);
          if (await claimJob(database, { ...turn, name: job.name, notAfter })) return await runJob(options, job, turn);
        }
        return undefined;
      },
    },
    options,
  );
}

async function findDue({ database, jobs }: JobOptions, now: Date): Promise<readonly Job[]> {
  const time = now.getTime();
  const dueAt = new Map((await listJobs(database)).map((job) => [job.name, job.dueAt.getTime()]));
  // A job due later than one interval from now was planned by a wrong clock.
  return jobs.filter(({ name, everyMs }) => {
    const due = dueAt.get(name) ?? 0;
    return due <= time || due > time + everyMs;
  });
}

async function runJob(
  { database, logger }: JobOptions,
  { name, everyMs, run }: Job,
  { now, lease: { token }, closing }: Turn,
): Promise<string | undefined> {
  const claim = { id: name, token };
  const started = performance.now();
  const error = await run(now, closing).then(
    () => null,
    (thrown: unknown) => messageOf(thrown),
  );
  if (error !== null && closing.aborted) {
    await endClaim(database, "job", { claim });
    return undefined;
  }
  const ms = Math.round(performance.now() - started);
  const dueAt = new Date(now.getTime() + (error === null ? everyMs : Math.min(RETRY_MS, everyMs)));
  await endClaim(database, "job", { claim, set: { lastMs: ms, lastError: error, dueAt } });
  if (error === null) logger.debug(`Ran job ${name} in ${ms} ms.`, { event: "job", job: name, ms });
  else logger.error(`Job ${name} failed: ${error}`, { event: "job", job: name, ms });
  return name;
}

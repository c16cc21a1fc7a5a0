import { messageOf } from "../../base/error.ts";
import { claimJob, ensureJobs, listJobs } from "../store/jobs.ts";
import { endClaim, updateRows } from "../store/rows.ts";
import type { Database } from "../store/tables.ts";
import { createQueue, type Queue, type QueueOptions, type Turn } from "./queue.ts";

/** Work that has to be done from time to time, also when nobody comes. Doing it twice must be harmless. */
export interface Job {
  readonly name: string;
  readonly everyMs: number;
  /** To be done soon after this start, however long ago it was done. */
  readonly isDueNow?: boolean;
  /** What takes long stops with an error when the signal aborts, and is done by the next process. */
  run(now: Date, closing: AbortSignal): Promise<void>;
}

export interface JobOptions extends QueueOptions {
  readonly database: Database;
  readonly jobs: readonly Job[];
}

/** The job that deletes files that no record names; a backup holds it up while it copies files. */
export const BLOB_SWEEP = "blob-sweep";

const RETRY_MS = 5 * 60 * 1000;

/** The queue of regular work; its results are the names of the jobs that ran. */
export function createJobRunner(options: JobOptions): Queue<string> {
  const { database, jobs } = options;
  const urgent = new Set(jobs.filter(({ isDueNow }) => isDueNow).map(({ name }) => name));
  return createQueue(
    {
      name: "Regular work",
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
  // A job that is due later than in its own interval was planned by a clock that went wrong.
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
  if (error === null) logger.debug(`Did ${name} in ${ms} ms.`, { event: "job", job: name, ms });
  else logger.error(`Regular work (${name}) failed: ${error}`, { event: "job", job: name, ms });
  return name;
}

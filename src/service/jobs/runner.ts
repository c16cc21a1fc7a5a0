import { randomUUID } from "node:crypto";
import { messageOf } from "../../base/error.ts";
import type { Logger } from "../../base/log.ts";
import { claimJob, ensureJobs, finishJob, listJobs, releaseJob } from "../store/jobs.ts";
import type { Database } from "../store/tables.ts";

/** Work that has to be done from time to time, also when nobody comes. Doing it twice must be harmless. */
export interface Job {
  readonly name: string;
  readonly everyMs: number;
  /** What takes long breaks off with an error when the signal says so, and is done by the next process. */
  run(now: Date, closing: AbortSignal): Promise<void>;
}

export interface JobRunner {
  /** Runs every job that is due and that no other process runs; gives the names of those that ran. */
  runDue(): Promise<readonly string[]>;
  /** Breaks off or waits for what runs, and starts nothing any more. */
  close(): Promise<void>;
}

export interface JobRunnerOptions {
  readonly database: Database;
  readonly logger: Logger;
  readonly now: () => Date;
  readonly jobs: readonly Job[];
  /** `false`: only `runDue` runs them. */
  readonly isBackground: boolean;
}

const LOOK_EVERY_MS = 60_000;
// Far longer than any job takes; who dies holds it up for no longer.
const LEASE_MS = 60 * 60 * 1000;
const RETRY_MS = 5 * 60 * 1000;

/** Makes the runner and lets it begin. Of several processes on one database, one runs a job when it is due. */
export function createJobRunner(options: JobRunnerOptions): JobRunner {
  const { jobs, logger, isBackground } = options;
  const closing = new AbortController();
  let running: Promise<readonly string[]> = Promise.resolve([]);

  async function runAll(): Promise<readonly string[]> {
    const done: string[] = [];
    try {
      for (const job of await findDue(options)) {
        if (!closing.signal.aborted && (await runJob(job, { ...options, closing: closing.signal })))
          done.push(job.name);
      }
    } catch (error) {
      logger.error(`Regular work could not be looked up: ${messageOf(error)}`, { event: "job" });
    }
    return done;
  }

  function start(): Promise<readonly string[]> {
    running = running.then(runAll);
    return running;
  }

  const timer = isBackground && jobs.length > 0 ? setInterval(() => void start(), LOOK_EVERY_MS).unref() : undefined;
  if (timer !== undefined) void start();
  return {
    runDue: start,
    async close() {
      closing.abort();
      clearInterval(timer);
      await running;
    },
  };
}

async function findDue({ database, jobs, now }: JobRunnerOptions): Promise<readonly Job[]> {
  await ensureJobs(
    database,
    jobs.map(({ name }) => name),
  );
  const time = now().getTime();
  const dueAt = new Map((await listJobs(database)).map((job) => [job.name, job.dueAt.getTime()]));
  // A job that is due later than in its own interval was planned by a clock that went wrong.
  return jobs.filter(({ name, everyMs }) => {
    const due = dueAt.get(name) ?? 0;
    return due <= time || due > time + everyMs;
  });
}

async function runJob(
  { name, everyMs, run }: Job,
  { database, logger, now, closing }: JobRunnerOptions & { readonly closing: AbortSignal },
): Promise<boolean> {
  const startedAt = now();
  const lease = { token: randomUUID(), until: new Date(startedAt.getTime() + LEASE_MS) };
  const notAfter = new Date(startedAt.getTime() + everyMs);
  if (!(await claimJob(database, { name, now: startedAt, lease, notAfter }))) return false;
  const started = performance.now();
  const error = await run(startedAt, closing).then(
    () => null,
    (thrown: unknown) => messageOf(thrown),
  );
  if (error !== null && closing.aborted) {
    await releaseJob(database, { name, token: lease.token });
    return false;
  }
  const ms = Math.round(performance.now() - started);
  const dueAt = new Date(startedAt.getTime() + (error === null ? everyMs : Math.min(RETRY_MS, everyMs)));
  await finishJob(database, { name, token: lease.token }, { ms, error, dueAt });
  if (error === null) logger.debug(`Did ${name} in ${ms} ms.`, { event: "job", job: name, ms });
  else logger.error(`Regular work (${name}) failed: ${error}`, { event: "job", job: name, ms });
  return true;
}

import { CompiledQuery } from "kysely";
import type { Database } from "./tables.ts";

/** Runs a change in a transaction and gives its result once that is committed. */
type Write = <Result>(change: (transaction: Database) => Promise<Result>) => Promise<Result>;

interface Job {
  /** Gives what tells the one who waits, for when everything is committed. */
  run(transaction: Database): Promise<() => void>;
  fail(error: unknown): void;
}

const MAX_TOGETHER = 64;

const groups = new WeakMap<Database, Write>();

/**
 * Runs a change on SQLite in one transaction with those that come at the same moment, in the order in which they come: a
 * commit takes SQLite longer than changing a page. A change that throws is undone by itself.
 */
export async function writeTogether<Result>(
  database: Database,
  change: (transaction: Database) => Promise<Result>,
): Promise<Result> {
  const write = groups.get(database) ?? createGroup(database);
  groups.set(database, write);
  return await write(change);
}

function createGroup(database: Database): Write {
  let waiting: Job[] = [];

  function flush(): void {
    const jobs = waiting.slice(0, MAX_TOGETHER);
    waiting = waiting.slice(MAX_TOGETHER);
    if (waiting.length > 0) setImmediate(flush);
    void commitTogether(database, jobs);
  }

  return async (change) =>
    await new Promise((resolve, reject) => {
      waiting.push({
        async run(transaction) {
          const result = await change(transaction);
          return () => resolve(result);
        },
        fail: reject,
      });
      // By then every request is read that has come so far.
      if (waiting.length === 1) setImmediate(flush);
    });
}

async function commitTogether(database: Database, jobs: readonly Job[]): Promise<void> {
  try {
    const tellings = await database.transaction().execute(async (transaction) => {
      const [only] = jobs;
      return jobs.length === 1 && only !== undefined ? [await only.run(transaction)] : await runEach(transaction, jobs);
    });
    for (const tell of tellings) tell();
  } catch (error) {
    for (const job of jobs) job.fail(error);
  }
}

async function runEach(transaction: Database, jobs: readonly Job[]): Promise<readonly (() => void)[]> {
  const tellings: (() => void)[] = [];
  for (const job of jobs) {
    await transaction.executeQuery(SAVE);
    try {
      tellings.push(await job.run(transaction));
    } catch (error) {
      // A full disk undoes the whole transaction, so that there is nothing left to go back to: all of them have failed.
      await transaction.executeQuery(UNDO).catch(() => {
        throw error;
      });
      tellings.push(() => job.fail(error));
    }
    await transaction.executeQuery(RELEASE);
  }
  return tellings;
}

const SAVE = CompiledQuery.raw("savepoint change");
const UNDO = CompiledQuery.raw("rollback to change");
const RELEASE = CompiledQuery.raw("release change");

import { Worker } from "node:worker_threads";
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from "kysely";
import { ProblemError } from "../http/problem.ts";
import { createDatabase, encodeValue } from "./database.ts";
import { isDamageCode, type Damage } from "./damage.ts";
import { sqliteCodeOf } from "./sqlite.ts";
import type { Database } from "./tables.ts";

// Expensive reads of an SQLite file (sums over months, searches, exports) run in threads with their own connections; in
// the thread that serves requests, they would block everyone else. See docs/decisions/0023.

/**
 * A read-only view of an SQLite file. Each statement sees what was committed before it started; there are no
 * transactions.
 */
export interface Readers {
  readonly database: Database;
  close(): Promise<void>;
}

export interface ReaderOptions {
  readonly path: string;
  /** Records damage that a statement encounters. */
  readonly damage: Damage;
  /**
   * Timeout for a statement including its wait for a thread, after which it throws `unavailable`. Default: 10 seconds.
   */
  readonly deadlineMs?: number;
}

const THREADS = 2;
const MAX_WAITING = 100;

// The compiler rewrites imports, but not file names in strings.
const PROGRAM = new URL(`./reader-thread.${import.meta.url.endsWith(".ts") ? "ts" : "js"}`, import.meta.url);

/** Creates the readers. Threads start on first use. */
export function createReaders(options: ReaderOptions): Readers {
  const threads = createThreads(options);
  const connection: DatabaseConnection = {
    executeQuery: async ({ sql, parameters }: CompiledQuery) => ({ rows: await threads.read(sql, parameters) }),
    streamQuery: refuse,
  };
  const driver: Driver = {
    async init() {},
    acquireConnection: async () => connection,
    beginTransaction: refuse,
    commitTransaction: refuse,
    rollbackTransaction: refuse,
    async releaseConnection() {},
    destroy: () => threads.close(),
  };
  return {
    database: createDatabase({
      // Otherwise, Kysely would run statements one after another.
      createAdapter: () => Object.defineProperty(new SqliteAdapter(), "supportsMultipleConnections", { value: true }),
      createDriver: () => driver,
      createIntrospector: (database) => new SqliteIntrospector(database),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    }),
    close: () => threads.close(),
  };
}

function refuse(): never {
  throw new Error("Reader threads support only single statements.");
}

interface Job {
  readonly sql: string;
  readonly parameters: readonly unknown[];
  readonly result: PromiseWithResolvers<Uint8Array>;
}

interface Thread {
  readonly worker: Worker;
  /** 1 aborts the running statement. */
  readonly stop: Int32Array;
  job: Job | undefined;
}

function createThreads({ path, damage, deadlineMs = 10_000 }: ReaderOptions) {
  const threads = new Set<Thread>();
  const waiting: Job[] = [];
  let isClosed = false;

  function next(): void {
    const [job] = waiting;
    const thread = job && findFree();
    if (job === undefined || thread === undefined) return;
    waiting.shift();
    thread.job = job;
    Atomics.store(thread.stop, 0, 0);
    thread.worker.ref();
    thread.worker.postMessage({ sql: job.sql, parameters: job.parameters });
  }

  function findFree(): Thread | undefined {
    const free = [...threads].find(({ job }) => job === undefined);
    return free ?? (threads.size < THREADS ? start() : undefined);
  }

  function start(): Thread {
    const shared = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
    const worker = new Worker(PROGRAM, { workerData: { path, shared } });
    const thread: Thread = { worker, stop: new Int32Array(shared), job: undefined };
    threads.add(thread);

    function end(finish: (result: Job["result"]) => void): void {
      if (thread.job !== undefined) finish(thread.job.result);
      thread.job = undefined;
      worker.unref();
      if (!isClosed) next();
    }

    worker.on("message", ({ bytes, error }: { readonly bytes?: Uint8Array; readonly error?: object }) => {
      if (bytes !== undefined) return end(({ resolve }) => resolve(bytes));
      const thrown = Object.assign(new Error("The database can't be read."), error);
      if (isDamageCode(sqliteCodeOf(thrown))) damage.note(thrown.message);
      return end(({ reject }) => reject(thrown));
    });
    worker.on("error", (error) => thread.job?.result.reject(error));
    worker.on("exit", () => {
      threads.delete(thread);
      end(({ reject }) => reject(new Error("A database reader thread exited.")));
    });
    return thread;
  }

  function giveUp(job: Job): void {
    const place = waiting.indexOf(job);
    if (place !== -1) waiting.splice(place, 1);
    for (const thread of threads) if (thread.job === job) Atomics.store(thread.stop, 0, 1);
    job.result.reject(busy("The database query timed out."));
  }

  return {
    async read(sql: string, parameters: readonly unknown[]): Promise<never[]> {
      if (isClosed) throw new Error("The database is closed.");
      if (waiting.length >= MAX_WAITING) throw busy("Too many database queries are waiting.");
      const job: Job = { sql, parameters: parameters.map(encodeValue), result: Promise.withResolvers<Uint8Array>() };
      waiting.push(job);
      const timer = setTimeout(giveUp, deadlineMs, job);
      next();
      try {
        return JSON.parse(Buffer.from(await job.result.promise).toString());
      } finally {
        clearTimeout(timer);
      }
    },
    async close(): Promise<void> {
      isClosed = true;
      for (const job of waiting.splice(0)) job.result.reject(new Error("The database is closed."));
      await Promise.all(
        [...threads].map(({ worker, stop }) => {
          Atomics.store(stop, 0, 1);
          return worker.terminate();
        }),
      );
    },
  };
}

function busy(detail: string): ProblemError {
  return new ProblemError("unavailable", { detail, headers: { "Retry-After": "1" } });
}

import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { messageOf } from "../base/error.ts";

export interface ProgramOptions {
  /** Flags of Node, such as the maximum heap size. */
  readonly execArgv?: readonly string[];
  /** Its whole environment. A program gets no settings or secrets except these. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** How long it waits for more work before it exits, in milliseconds. */
  readonly idleMs: number;
}

/** One of our programs in its own process, which starts with the first job. */
export interface Program<Job, Result> {
  /**
   * Runs a job; several can run at a time. Throws the error that the program threw, and `ProgramEnded` if the process
   * ended before the job was done.
   */
  run(job: Job): Promise<Result>;
  isRunning(): boolean;
  /** Ends the process, even during a job; the next job starts another one. */
  end(): Promise<void>;
}

/** A process ended before its job was done. */
export class ProgramEnded extends Error {
  /** Signal or exit code. */
  readonly by: string;

  constructor(by: string) {
    super(`its process ended (${by})`);
    this.by = by;
  }
}

interface Order<Job> {
  readonly id: number;
  readonly job: Job;
}

type ProgramResult<Result> = { readonly id: number } & (
  | { readonly kind: "done"; readonly result: Result }
  | { readonly kind: "failed"; readonly reason: string }
);

export function createProgram<Job, Result>(file: URL, { idleMs, ...options }: ProgramOptions): Program<Job, Result> {
  let running: ReturnType<typeof start<Job, Result>> | undefined;
  let idle: NodeJS.Timeout | undefined;

  function leave(): void {
    running?.leave();
    running = undefined;
  }

  return {
    async run(job) {
      clearTimeout(idle);
      running = running?.isEnded() === false ? running : start<Job, Result>(file, options);
      const used = running;
      try {
        return await used.run(job);
      } finally {
        // Several jobs may end at once, and each would set its own timer.
        clearTimeout(idle);
        if (used === running && used.isIdle()) idle = setTimeout(leave, idleMs).unref();
      }
    },
    isRunning: () => running?.isEnded() === false,
    async end() {
      clearTimeout(idle);
      const ended = running;
      running = undefined;
      await ended?.kill();
    },
  };
}

function start<Job, Result>(file: URL, { execArgv = [], env = {} }: Omit<ProgramOptions, "idleMs">) {
  const waiting = new Map<number, PromiseWithResolvers<Result>>();
  let lastId = 0;
  let isEnded = false;
  const child: ChildProcess = fork(file, {
    execArgv: [...execArgv],
    env: { ...env },
    serialization: "advanced",
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });

  function fail(by: string): void {
    isEnded = true;
    for (const { reject } of waiting.values()) reject(new ProgramEnded(by));
  }

  child.on("error", (error) => fail(messageOf(error)));
  child.on("exit", (code, signal) => fail(signal ?? String(code)));
  child.on("message", (answer: ProgramResult<Result>) => {
    const work = waiting.get(answer.id);
    if (answer.kind === "done") work?.resolve(answer.result);
    else work?.reject(new Error(answer.reason));
  });

  return {
    isEnded: () => isEnded,
    isIdle: () => waiting.size === 0,
    async run(job: Job): Promise<Result> {
      lastId += 1;
      const id = lastId;
      const work = Promise.withResolvers<Result>();
      waiting.set(id, work);
      keepAlive(child, waiting.size > 0);
      child.send({ id, job } satisfies Order<Job>, (error) => error !== null && fail(messageOf(error)));
      try {
        return await work.promise;
      } finally {
        waiting.delete(id);
        keepAlive(child, waiting.size > 0);
      }
    },
    /** Closes the channel to the parent, whereupon the process exits by itself. */
    leave(): void {
      isEnded = true;
      if (child.connected) child.disconnect();
    },
    async kill(): Promise<void> {
      if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
      const exit = once(child, "exit");
      child.ref();
      child.kill("SIGKILL");
      await exit;
    },
  };
}

/** Keeps the parent alive only while a job is running. */
function keepAlive(child: ChildProcess, isWorking: boolean): void {
  if (isWorking) {
    child.ref();
    child.channel?.ref();
  } else {
    child.unref();
    child.channel?.unref();
  }
}

/** The child's side: runs jobs for the parent process until the channel between them closes. */
export function serveProgram<Job, Result>(work: (job: Job) => Promise<Result> | Result): void {
  const answer = (given: ProgramResult<Result>) => process.send?.(given);
  async function run({ id, job }: Order<Job>): Promise<void> {
    try {
      answer({ id, kind: "done", result: await work(job) });
    } catch (error) {
      answer({ id, kind: "failed", reason: messageOf(error) });
    }
  }
  process.on("message", (order: Order<Job>) => void run(order));
  // A terminal sends it to both processes; the parent decides when to exit.
  process.on("SIGINT", () => {});
}

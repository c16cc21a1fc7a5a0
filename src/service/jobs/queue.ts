import { randomUUID } from "node:crypto";
import { messageOf } from "../../base/error.ts";
import type { Logger } from "../../base/log.ts";
import type { Lease } from "../store/rows.ts";

/**
 * Work that waits in the database until it is due. Several queues, in one process or in many, can serve one database:
 * each item is worked on by whoever claims it first, and again by another when that claim's lease expires without a
 * result.
 */
export interface Queue<Result> {
  /** Reports that something may be due. */
  wake(): void;
  /** Works on everything that is due now and waits for it. Returns one result per item. */
  runDue(): Promise<readonly Result[]>;
  /** Aborts or waits for what is running, and starts nothing more. */
  close(): Promise<void>;
}

export interface QueueOptions {
  readonly logger: Logger;
  readonly now: () => Date;
  /** `false`: only `runDue` does any work. */
  readonly isBackground: boolean;
  /** `true`: nothing can be written, so nothing is started. */
  readonly isPaused?: () => boolean;
}

/** The attempt to claim one item of a group and to work on it. */
export interface Turn {
  readonly group: string;
  readonly now: Date;
  readonly lease: Lease;
  /** Aborted when the queue closes. */
  readonly closing: AbortSignal;
}

export interface QueueHandler<Result> {
  /** What is worked on, for the log. */
  readonly name: string;
  readonly pollMs: number;
  /** Longer than one item can take, so that an expired lease means a process that died. */
  readonly leaseMs: number;
  /** How many items of a group are worked on at a time. Default: 1. */
  readonly perGroup?: number;
  /** How long `close` waits for what can't be aborted; its lease expires later. Default: until it is done. */
  readonly graceMs?: number;
  /** Groups in which something is due: a slow item delays only its own. Default: a single group. */
  listGroups?(now: Date): Promise<readonly string[]>;
  /** Claims the item that has been due longest and works on it. Resolves to `undefined` when there is none. */
  runNext(turn: Turn): Promise<Result | undefined>;
}

const MAX_GROUPS = 32;

export function createQueue<Result>(handler: QueueHandler<Result>, options: QueueOptions): Queue<Result> {
  const { logger, now, isBackground } = options;
  const closing = new AbortController();
  const groups = new Map<string, Promise<readonly Result[]>>();
  let wakes = 0;
  let isWoken = false;
  let polls = Promise.resolve();

  async function startGroups(): Promise<void> {
    if (options.isPaused?.() === true) return;
    for (const group of (await handler.listGroups?.(now())) ?? [""]) {
      if (closing.signal.aborted || groups.size >= MAX_GROUPS) return;
      if (!groups.has(group)) groups.set(group, runGroup(group));
    }
  }

  async function runGroup(group: string): Promise<readonly Result[]> {
    const results: Result[] = [];
    const runUntilNoneIsDue = async () => {
      try {
        for (let result = await runNext(group); result !== undefined; result = await runNext(group))
          results.push(result);
      } catch (error) {
        logFailure(error);
      }
    };
    // What became due while the last claim found nothing isn't left for the next poll.
    for (let seen = -1; seen !== wakes && !closing.signal.aborted;) {
      seen = wakes;
      await Promise.all(Array.from({ length: handler.perGroup ?? 1 }, runUntilNoneIsDue));
    }
    groups.delete(group);
    return results;
  }

  async function runNext(group: string): Promise<Result | undefined> {
    if (closing.signal.aborted) return undefined;
    const time = now();
    const lease = { token: randomUUID(), until: new Date(time.getTime() + handler.leaseMs) };
    return await handler.runNext({ group, now: time, lease, closing: closing.signal });
  }

  // What was claimed is due again when its lease expires.
  function logFailure(error: unknown): void {
    if (!closing.signal.aborted) logger.error(`${handler.name} failed: ${messageOf(error)}`, { event: "queue" });
  }

  function wake(): void {
    wakes++;
    if (!isBackground || isWoken || closing.signal.aborted) return;
    isWoken = true;
    polls = polls.then(async () => {
      isWoken = false;
      await startGroups().catch(logFailure);
    });
  }

  const timer = isBackground ? setInterval(wake, handler.pollMs).unref() : undefined;
  return {
    wake,
    async runDue() {
      const all: Result[] = [];
      for (;;) {
        await startGroups();
        const results = (await Promise.all(groups.values())).flat();
        // There are none, too, when another process has claimed everything.
        if (results.length === 0) return all;
        all.push(...results);
      }
    },
    async close() {
      closing.abort();
      clearInterval(timer);
      await polls;
      const { graceMs } = handler;
      const grace = graceMs === undefined ? [] : [new Promise((end) => setTimeout(end, graceMs).unref())];
      await Promise.race([Promise.all(groups.values()), ...grace]);
    },
  };
}

import { randomUUID } from "node:crypto";
import { messageOf } from "../../base/error.ts";
import type { Logger } from "../../base/log.ts";
import type { Lease } from "../store/rows.ts";

/**
 * Work stored in the database until it is due. Several queues, in one or more processes, can share a database: whoever
 * claims an item first handles it, and another takes over if the claim's lease expires without a result.
 */
export interface Queue<Result> {
  /** Signals that something may be due. */
  wake(): void;
  /** Handles all due items and waits for them. Returns one result per item. */
  runDue(): Promise<readonly Result[]>;
  /** Aborts or waits for running work, and starts no more. */
  close(): Promise<void>;
}

export interface QueueOptions {
  readonly logger: Logger;
  readonly now: () => Date;
  /** `false`: work runs only in `runDue`. */
  readonly isBackground: boolean;
  /** `true`: the store is read-only, so nothing is started. */
  readonly isPaused?: () => boolean;
}

/** An attempt to claim and handle an item of a group. */
export interface Turn {
  readonly group: string;
  readonly now: Date;
  readonly lease: Lease;
  readonly closing: AbortSignal;
}

export interface QueueHandler<Result> {
  /** Name of the work for the log. */
  readonly name: string;
  readonly pollMs: number;
  /** Longer than an item can take, so that an expired lease means a dead process. */
  readonly leaseMs: number;
  /** Number of concurrent items per group. Default: 1. */
  readonly perGroup?: number;
  /** How long `close` waits for work that can't be aborted; its lease expires later. Default: until it finishes. */
  readonly graceMs?: number;
  /** Lists groups with due items: a slow item delays only its own group. Default: a single group. */
  listGroups?(now: Date): Promise<readonly string[]>;
  /** Claims and handles the item that has been due longest. Resolves to `undefined` if there is none. */
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
    // Items that became due while the last claim found none don't wait for the next poll.
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

  // Claimed items are due again when their lease expires.
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
        // This is also empty if another process claimed everything.
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

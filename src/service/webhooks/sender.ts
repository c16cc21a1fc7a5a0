import { messageOf } from "../../base/error.ts";
import type { Logger } from "../../base/log.ts";
import type { GuardedFetch } from "../guarded-fetch/guarded-fetch.ts";
import type { RandomBytes } from "../resources/ids.ts";
import { claimJob } from "../store/jobs.ts";
import { forgetHistory } from "../store/outbox.ts";
import type { Database } from "../store/tables.ts";
import { writeTransaction } from "../store/write-transaction.ts";
import { createLanes } from "./lanes.ts";

/** Sends what the outbox holds. */
export interface WebhookSender {
  /** Says that something may be due. */
  wake(): void;
  /** Sends everything that is due now and waits for the answers; gives how many were sent. */
  sendDue(): Promise<number>;
  /** Breaks off what is being sent, gives it back, and sends nothing any more. */
  close(): Promise<void>;
}

export interface SenderOptions {
  readonly database: Database;
  readonly remote: GuardedFetch;
  readonly random: RandomBytes;
  readonly logger: Logger;
  readonly now: () => Date;
  /** `false`: only `sendDue` sends. */
  readonly isBackground: boolean;
}

const POLL_MS = 1000;
const SWEEP_MS = 60 * 60 * 1000;
const HISTORY_MS = 30 * 24 * 60 * 60 * 1000;

/**
 * Makes the sender. Several of them, in one process or in many, can work on one database: a delivery is sent by whoever
 * claims it first, and again by another when its claim is over without a result.
 */
export function createWebhookSender(options: SenderOptions): WebhookSender {
  const { database, logger, now, isBackground } = options;
  const closing = new AbortController();
  const lanes = createLanes(options, closing.signal);
  let isWoken = false;
  let sweptAt = 0;
  let polls = Promise.resolve();

  async function poll(): Promise<void> {
    isWoken = false;
    if (closing.signal.aborted) return;
    try {
      await lanes.start();
      await sweep();
    } catch (error) {
      logger.error(`The outbox of webhooks could not be read: ${messageOf(error)}`);
    }
  }

  async function sweep(): Promise<void> {
    const time = now().getTime();
    if (Math.abs(time - sweptAt) < SWEEP_MS) return;
    sweptAt = time;
    if (!(await claimJob(database, { name: "webhook history", everyMs: SWEEP_MS, now: now() }))) return;
    await writeTransaction(
      database,
      (transaction) => forgetHistory(transaction, new Date(time - HISTORY_MS)),
      "shared",
    );
  }

  function wake(): void {
    if (!isBackground || isWoken || closing.signal.aborted) return;
    isWoken = true;
    polls = polls.then(poll);
  }

  const timer = isBackground ? setInterval(wake, POLL_MS).unref() : undefined;

  return {
    wake,
    async sendDue() {
      let total = 0;
      for (let sent = -1; sent !== 0; total += sent) {
        await lanes.start();
        // Nothing is sent, too, when another process has claimed everything.
        sent = (await lanes.wait()).reduce((sum, count) => sum + count, 0);
      }
      return total;
    },
    async close() {
      clearInterval(timer);
      closing.abort();
      await polls;
      await lanes.wait();
    },
  };
}

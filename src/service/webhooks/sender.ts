import { messageOf } from "../../base/error.ts";
import type { Logger } from "../../base/log.ts";
import type { GuardedFetch } from "../guarded-fetch/guarded-fetch.ts";
import type { RandomBytes } from "../resources/ids.ts";
import type { Database } from "../store/tables.ts";
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

/**
 * Makes the sender. Several of them, in one process or in many, can work on one database: a delivery is sent by whoever
 * claims it first, and again by another when its claim is over without a result.
 */
export function createWebhookSender(options: SenderOptions): WebhookSender {
  const { logger, isBackground } = options;
  const closing = new AbortController();
  const lanes = createLanes(options, closing.signal);
  let isWoken = false;
  let polls = Promise.resolve();

  async function poll(): Promise<void> {
    isWoken = false;
    if (closing.signal.aborted) return;
    try {
      await lanes.start();
    } catch (error) {
      logger.error(`The outbox of webhooks could not be read: ${messageOf(error)}`);
    }
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

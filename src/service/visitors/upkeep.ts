import { messageOf } from "../../base/error.ts";
import type { Logger } from "../../base/log.ts";
import { endPastDays } from "../resources/close-days.ts";
import { claimJob } from "../store/jobs.ts";
import { forgetRateWindows } from "../store/rate-windows.ts";
import type { Database } from "../store/tables.ts";
import { writeTransaction } from "../store/write-transaction.ts";

/** Work on what visitors left that has to be done even when nobody comes any more. */
export interface Upkeep {
  /** Waits for what runs and starts nothing any more. */
  close(): Promise<void>;
}

export interface UpkeepOptions {
  readonly database: Database;
  readonly logger: Logger;
  readonly now: () => Date;
  /** `false`: past days end with the first view of a new day only. */
  readonly isBackground: boolean;
}

const EVERY_MS = 60 * 60 * 1000;

/** Ends past days every hour, in one of the processes that work on the database. */
export function createUpkeep({ database, logger, now, isBackground }: UpkeepOptions): Upkeep {
  let running = Promise.resolve();

  async function run(): Promise<void> {
    try {
      if (!(await claimJob(database, { name: "past days", everyMs: EVERY_MS, now: now() }))) return;
      await writeTransaction(database, (transaction) => endPastDays(transaction, now()), "shared");
      await forgetRateWindows(database, now());
    } catch (error) {
      logger.error(`What visitors left could not be tidied up: ${messageOf(error)}`);
    }
  }

  function start(): void {
    running = running.then(run);
  }

  const timer = isBackground ? setInterval(start, EVERY_MS) : undefined;
  timer?.unref();
  if (isBackground) start();
  return {
    async close() {
      clearInterval(timer);
      await running;
    },
  };
}

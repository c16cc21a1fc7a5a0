import type { GuardedFetch } from "./guarded-fetch/guarded-fetch.ts";
import { createJobs } from "./jobs/all.ts";
import type { Queue } from "./jobs/queue.ts";
import { createJobRunner } from "./jobs/runner.ts";
import { createRequestRecorder, type RequestRecorder } from "./logs/request-recorder.ts";
import type { Settings } from "./options.ts";
import { createId } from "./resources/ids.ts";
import type { Store } from "./store/open-store.ts";
import { createDeliveryQueue } from "./webhooks/deliver.ts";

/** What a service does beside answering requests. */
export interface Background {
  readonly sender: Queue<unknown>;
  readonly requests: RequestRecorder;
  readonly jobs: Queue<string>;
  /** Ends all of it, gives back what was claimed and writes what was noted. */
  close(): Promise<void>;
}

export interface BackgroundOptions {
  readonly settings: Settings;
  readonly store: Store;
  readonly remote: GuardedFetch;
  readonly now: () => Date;
  /** The account that requests without a key are noted for. */
  readonly accountId: string;
}

export function startBackground({ settings, store, remote, now, accountId }: BackgroundOptions): Background {
  const { random, logger, retention, background: isBackground } = settings;
  const shared = { database: store.database, logger, now, isBackground };
  const sender = createDeliveryQueue({ ...shared, remote, random });
  // A copy of the records that a test goes back to may name files that no record names any more.
  const sweepsBlobs = settings.dataDir !== undefined && !settings.dev;
  const jobs = createJobRunner({ ...shared, jobs: createJobs({ ...store, retention, sweepsBlobs }) });
  const requests = createRequestRecorder({
    ...shared,
    newId: () => createId("log", random),
    defaultAccountId: accountId,
  });
  return {
    ...{ sender, requests, jobs },
    async close() {
      await sender.close();
      await jobs.close();
      await requests.close();
    },
  };
}

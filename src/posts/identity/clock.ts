/** Time as a run sees it. Passed in, so that a test can let an hour pass at once. */
export interface Clock {
  now(): Date;
  /** Rejects as soon as the signal is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

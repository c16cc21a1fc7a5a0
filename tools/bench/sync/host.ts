import { fork } from "node:child_process";
import { once } from "node:events";
import type { Address } from "./job.ts";

export const LATENCY_MS = 50;

export interface HostOptions {
  /**
   * Program to start, relative to `tools/bench`. A thin service does no work of its own, so that only the publisher is
   * measured. Default: our own service.
   */
  readonly program?: "sync/service.ts" | "sync/thin-service.ts" | "peers/storage.ts";
  /** Latency of each request. Default: 50 ms. */
  readonly latencyMs?: number;
  readonly maxConcurrent?: number;
  readonly perSecond?: number;
  /** For a thin service: the share of requests that get a 500, 503 or 429. */
  readonly faults?: number;
  /** For a thin service: whether it sends `Retry-After` with requests beyond `perSecond`. */
  readonly isTelling?: boolean;
}

/** Starts a service in its own process, with a latency of 50 ms by default. */
export async function withHost<Result>(
  { program = "sync/service.ts", ...options }: HostOptions,
  work: (host: Address) => Promise<Result>,
): Promise<Result> {
  const service = fork(new URL(`../${program}`, import.meta.url), [
    JSON.stringify({ latencyMs: LATENCY_MS, ...options }),
  ]);
  const [told]: readonly unknown[] = await once(service, "message");
  const { baseUrl = "", pagesUrl = "", apiKey = "" }: Readonly<Record<string, string>> = Object(told);
  try {
    return await work({ baseUrl, pagesUrl, apiKey });
  } finally {
    service.kill("SIGTERM");
    await once(service, "exit");
  }
}

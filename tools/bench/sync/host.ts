import { fork } from "node:child_process";
import { once } from "node:events";
import type { Address } from "./job.ts";

export const LATENCY_MS = 50;

export interface HostOptions {
  /**
   * What is started, below `tools/bench`. A thin service does no work of its own, so that only the publisher is measured.
   * Default: our own service.
   */
  readonly program?: "sync/service.ts" | "sync/thin-service.ts" | "peers/storage.ts";
  /** Of each request. Default: 50 ms. */
  readonly latencyMs?: number;
  readonly maxConcurrent?: number;
  readonly perSecond?: number;
  /** Of a thin service: the share of requests that are answered 500, 503 or 429. */
  readonly faults?: number;
  /** Of a thin service: whether it says `Retry-After` with what is beyond `perSecond`. */
  readonly isTelling?: boolean;
}

/** Starts a service in a process of its own that takes 50 ms for every request. */
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

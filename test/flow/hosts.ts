import { fork, type ChildProcess } from "node:child_process";
import { on } from "node:events";
import { onTestFinished } from "vitest";
import * as z from "zod";
import type { RouteSetName } from "../../src/contract/route.ts";
import { startService } from "../../src/service.ts";

/** A running service and the key for it. */
export interface Host {
  readonly baseUrl: string;
  readonly pagesUrl: string;
  readonly apiKey: string;
  /** Methods of the requests so far, from the service's own log; absent for a service in another process. */
  readonly methods?: () => readonly string[];
}

export interface HostOptions {
  readonly routeSet: RouteSetName;
  readonly strict: boolean;
}

export const HOSTS = {
  "in this process": hostInProcess,
  "in another process": hostInAnotherProcess,
} as const;

export async function hostInProcess({ routeSet, strict }: HostOptions): Promise<Host> {
  const service = await startService({ ephemeral: true, port: 0, pagesPort: 0, strict, dev: true });
  onTestFinished(() => service.close());
  const methods = () => service.requests().map(({ method }) => method);
  return { baseUrl: service.baseUrl(routeSet), pagesUrl: service.pagesUrl, apiKey: service.apiKey, methods };
}

/** Opens a service in the separate process that a worker's tests share. */
export async function hostInAnotherProcess({ routeSet, strict }: HostOptions): Promise<Host> {
  const number = (asked += 1);
  onTestFinished(async () => void (await askProcess({ number, strict })));
  const { host } = await askProcess({ number, strict });
  if (host === undefined) throw new Error("The service did not start.");
  return { baseUrl: host[routeSet], pagesUrl: host.pagesUrl, apiKey: host.apiKey };
}

let asked = 0;
let shared: ChildProcess | undefined;

const answerSchema = z.object({
  number: z.number(),
  host: z.object({ a: z.string(), b: z.string(), pagesUrl: z.string(), apiKey: z.string() }).optional(),
});

async function askProcess(question: { readonly number: number; readonly strict: boolean }) {
  // It ends with the worker, when the channel closes.
  const child = (shared ??= fork(new URL("./host-process.ts", import.meta.url), { execArgv: [] }));
  child.unref();
  child.channel?.unref();
  child.send(question);
  for await (const [message] of on(child, "message", { close: ["exit"] })) {
    const answer = answerSchema.parse(message);
    if (answer.number === question.number) return answer;
  }
  throw new Error("The process of the services has ended.");
}

import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { onTestFailed, onTestFinished } from "vitest";
import type { RouteSetName } from "../../src/contract/route.ts";
import { startService } from "../../src/service.ts";

/** A running service and the key for it. */
export interface Host {
  readonly baseUrl: string;
  readonly pagesUrl: string;
  readonly apiKey: string;
  /** Methods of the requests so far, from the service's own log; a service in another process keeps it to itself. */
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

export async function hostInAnotherProcess({ routeSet, strict }: HostOptions): Promise<Host> {
  const cli = fileURLToPath(new URL("../../src/cli.ts", import.meta.url));
  const flags = ["serve", "--ephemeral", "--json", "--port", "0", "--pages-port", "0", ...(strict ? ["--strict"] : [])];
  const child = spawn(process.execPath, [cli, ...flags], { stdio: ["ignore", "pipe", "pipe"] });
  const log: string[] = [];
  child.stderr.on("data", (part) => void log.push(String(part)));
  onTestFailed(() => void process.stderr.write(log.join("")));
  onTestFinished(async () => {
    child.kill("SIGTERM");
    if (child.exitCode === null) await once(child, "exit");
  });
  const [line]: readonly unknown[] = await once(createInterface({ input: child.stdout }), "line");
  const { routeSetA, routeSetB, pages, apiKey }: Readonly<Record<string, string>> = JSON.parse(String(line));
  return { baseUrl: (routeSet === "a" ? routeSetA : routeSetB) ?? "", pagesUrl: pages ?? "", apiKey: apiKey ?? "" };
}

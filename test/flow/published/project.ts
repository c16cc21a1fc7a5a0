import { spawn } from "node:child_process";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { runCli } from "../../../src/cli/run-cli.ts";
import type { RouteSetName } from "../../../src/contract/route.ts";
import type { RunningService, StartOptions } from "../../../src/service.ts";
import { openRunningService } from "../../service/open-service.ts";
import type { Dialect } from "../../strangers/dialect.ts";
import { API_KEY, startStranger, type Stranger } from "../../strangers/host.ts";
import { passing, type PassingClock } from "../../passing-clock.ts";
import { startProxy, type Proxy } from "../../faults/proxy.ts";
import { createTemporarySite, type TemporarySite } from "../temporary-site.ts";

/** Where a project publishes to. */
export interface Host {
  readonly baseUrl: string;
  readonly apiKey: string;
  /** A host with a clock of its own, which pauses of commands set forward instead of waiting. */
  readonly world?: PassingClock;
}

export interface Ran {
  readonly code: number;
  /** Both streams, with single spaces. */
  readonly said: string;
}

/** A project folder whose commands publish to one host. */
export interface Project extends TemporarySite {
  run(...argv: readonly string[]): Promise<Ran>;
  /** Replaces the options. */
  configure(options: Readonly<Record<string, unknown>>): Promise<void>;
  /** Deletes `.imprint/`, like a CI job without a cache. */
  loseState(): Promise<void>;
  loseLock(): Promise<void>;
}

// Node loads a module only once per path, so changed options are written to another path.
const CONFIG_NAMES = ["imprint.config.mjs", "imprint.config.js", "imprint.config.ts"] as const;

export async function openProject(
  { baseUrl, apiKey, world }: Host,
  options: Readonly<Record<string, unknown>> = {},
): Promise<Project> {
  const site = await createTemporarySite();
  const names = [...CONFIG_NAMES];
  const environment = { IMPRINT_API_KEY: apiKey, IMPRINT_SERVICE: baseUrl };
  const connection = world && passing(world);
  const project: Project = {
    ...site,
    async run(...argv) {
      let said = "";
      const stream = { write: (text: string) => (said += text) };
      const code = await runCli(argv, { cwd: site.root, environment, connection, out: stream, error: stream });
      return { code, said: said.replaceAll(/\s+/g, " ") };
    },
    async configure(changed) {
      await Promise.all(CONFIG_NAMES.map((name) => site.remove(name)));
      await site.write(names.shift() ?? "", `export default ${JSON.stringify(changed)};\n`);
    },
    loseState: () => rm(join(site.root, ".imprint"), { recursive: true }),
    loseLock: () => rm(join(site.root, "imprint.lock.json")),
  };
  await project.configure(options);
  return project;
}

/** Opens a project with our own service. */
export async function openAtService(
  routeSet: RouteSetName,
  { service: started, ...options }: { readonly service?: StartOptions } & Readonly<Record<string, unknown>> = {},
): Promise<Project & { readonly service: RunningService }> {
  const service = await openRunningService(started);
  return { ...(await openProject(addressOf(service, routeSet), options)), service };
}

export function addressOf(service: RunningService, routeSet: RouteSetName): Host {
  return { baseUrl: service.baseUrl(routeSet), apiKey: service.apiKey };
}

/** Opens a project with an independent host. */
export async function openAtStranger(
  dialect: Dialect,
  options: Readonly<Record<string, unknown>> = {},
): Promise<Project & { readonly stranger: Stranger }> {
  const stranger = await startStranger(dialect);
  onTestFinished(() => stranger.close());
  const { baseUrl, world } = stranger;
  return { ...(await openProject({ baseUrl, apiKey: API_KEY, world }, options)), stranger };
}

/** Opens a project with an independent host behind a proxy that simulates faults. */
export async function openBehindProxy(
  dialect: Dialect,
  options: Readonly<Record<string, unknown>> = {},
): Promise<Project & { readonly stranger: Stranger; readonly proxy: Proxy }> {
  const stranger = await startStranger(dialect);
  onTestFinished(() => stranger.close());
  const proxy = await startProxy(stranger.baseUrl);
  onTestFinished(() => proxy.close());
  return {
    ...(await openProject({ baseUrl: proxy.url, apiKey: API_KEY, world: stranger.world }, options)),
    stranger,
    proxy,
  };
}

const CLI = fileURLToPath(new URL("../../../dist/cli.js", import.meta.url));

interface Killing {
  readonly proxy: Proxy;
  /** Number of the write, starting at 1, or its path. */
  readonly write: number | RegExp;
  /** Whether it reaches the host. */
  readonly moment: "before" | "after";
}

/** Publishes to an independent host in a child process, and kills it at one of its writes. */
export async function publishAndKill(root: string, { proxy, write, moment }: Killing): Promise<void> {
  const env = { ...process.env, IMPRINT_API_KEY: API_KEY, IMPRINT_SERVICE: proxy.url };
  const child = spawn(process.execPath, [CLI, "publish", "--root", root], { env, stdio: "ignore" });
  let writes = 0;
  proxy.meddle(({ method, path, forward }) => {
    const isWrite = method !== "GET" && method !== "HEAD";
    if (isWrite) writes += 1;
    if (typeof write === "number" ? writes < write : !isWrite || !write.test(path)) return undefined;
    return (moment === "after" ? forward() : Promise.resolve()).then(() => void child.kill("SIGKILL"));
  });
  await once(child, "exit");
  proxy.meddle(() => undefined);
}

/** Sends a request with the key of a host, like another program. */
export async function send(
  { baseUrl, apiKey }: Host,
  [method, path]: readonly [string, string],
  body?: RequestInit["body"],
): Promise<unknown> {
  const type = typeof body === "string" ? { "content-type": "application/json" } : {};
  const headers = { authorization: `Bearer ${apiKey}`, ...type };
  const response = await fetch(baseUrl + path, { method, headers, ...(body === undefined ? {} : { body }) });
  if (!response.ok) throw new Error(`${method} ${path} answers ${response.status}: ${await response.text()}`);
  const text = await response.text();
  return text === "" ? undefined : JSON.parse(text);
}

/** Returns the operations that changed something on our service since a time. */
export function writesOf(service: RunningService, since?: Date): readonly string[] {
  return service
    .requests(since)
    .filter(({ method }) => method !== "GET" && method !== "HEAD")
    .map(({ operation, method, path }) => operation ?? `${method} ${path}`);
}

/** Returns an independent host's write requests after a number of requests. */
export function writesAt({ log }: Stranger["world"], before: number): readonly string[] {
  return log
    .slice(before)
    .filter(({ method }) => method !== "GET" && method !== "HEAD")
    .map(({ method, path }) => `${method} ${path}`);
}

/** Returns the status of an address for a visitor. */
export async function statusOf(address: string): Promise<number> {
  const response = await fetch(address);
  await response.arrayBuffer();
  return response.status;
}

/** Returns the addresses on the pages' own host that they load or link to and that don't respond with 200. */
export async function deadAddresses(pages: readonly string[]): Promise<readonly string[]> {
  const found = await Promise.all(
    pages.map(async (page) => {
      const html = await (await fetch(page)).text();
      const values = [...html.matchAll(/\s(?:src|href)="([^"#]+)/g)].map(([, value = ""]) => value);
      return values.filter((value) => !/^(?:data|mailto):/.test(value)).map((value) => new URL(value, page).href);
    }),
  );
  const addresses = [...new Set([...pages, ...found.flat()])];
  const statuses = await Promise.all(addresses.map(async (address) => [address, await statusOf(address)] as const));
  return statuses.filter(([, status]) => status !== 200).map(([address, status]) => `${status} ${address}`);
}

import { setTimeout as delay } from "node:timers/promises";
import type { RouteSetName } from "../contract/route.ts";
import { applyAfter, applyBefore, dropConnection, isDropped } from "./development/apply-fault.ts";
import { isControlPath } from "./development/control-path.ts";
import type { Faults } from "./development/faults.ts";
import { InjectedReset } from "./development/injected-reset.ts";
import type { RequestLog } from "./development/request-log.ts";
import type { Connection, Exchange } from "./exchange.ts";
import { ProblemError } from "./resources/problem-error.ts";

/** Answers a request that came over a socket, or in process when there is no connection. */
export type HostHandler = (request: Request, connection?: Connection) => Promise<Response>;

/** What differs between the host of the API and the host of published pages. */
export interface Host {
  /** What is asked for, to tell it in the request log and to match the rules of ordered faults. */
  describe(method: string, path: string): RequestDescription;
  /** Headers that every answer carries unless it has its own. */
  headersOf(description: RequestDescription): Readonly<Record<string, string>>;
  answer(request: Request, exchange: Exchange): Response | Promise<Response>;
  /** Turns anything thrown into an answer. */
  fail(error: unknown, exchange: Exchange): Response | Promise<Response>;
}

interface RequestDescription {
  readonly routeSet: RouteSetName | undefined;
  readonly operation: string | undefined;
}

export interface HostOptions {
  readonly faults: Faults;
  readonly requestLog: RequestLog;
  now(): Date;
  newRequestId(): string;
}

/** Puts around a host what happens to every request: its id, ordered faults, common headers, the log. */
export function createHostHandler(host: Host, options: HostOptions): HostHandler {
  const { faults, requestLog } = options;
  let running = 0;

  async function answer(request: Request, exchange: Exchange): Promise<Response> {
    try {
      if (running > faults.maxConcurrent) {
        throw new ProblemError("unavailable", { headers: { "Retry-After": "1" } });
      }
      return await host.answer(request, exchange);
    } catch (error) {
      return error instanceof InjectedReset ? dropConnection(exchange.connection) : await host.fail(error, exchange);
    }
  }

  async function serve(request: Request, exchange: Exchange): Promise<Response> {
    const { fault, connection } = exchange;
    if (faults.latencyMs > 0) await delay(faults.latencyMs);
    if (fault === undefined) return await answer(request, exchange);
    const site = { request, connection };
    return (await applyBefore(fault, site)) ?? (await applyAfter(fault, await answer(request, exchange), site));
  }

  return async (request, connection) => {
    const started = performance.now();
    const { method } = request;
    const path = pathOf(request.url);
    const description = host.describe(method, path);
    const entry = { at: options.now(), method, path, ...description };
    const requestId = requestIdOf(request) ?? options.newRequestId();
    const notes = createNotes({ ...host.headersOf(description), "X-Request-Id": requestId });
    const fault = faults.take({ method, path, operation: description.operation });
    let status = 0;
    running++;
    try {
      const response = await serve(request, { requestId, path, fault, connection, ...notes });
      if (isDropped(response)) return response;
      status = response.status;
      for (const [name, value] of notes.headers) if (!response.headers.has(name)) response.headers.set(name, value);
      return response;
    } finally {
      running--;
      const ms = performance.now() - started;
      if (!isControlPath(path)) requestLog.add({ ...entry, status, ms, warnings: notes.warnings });
    }
  };
}

function pathOf(url: string): string {
  return new URL(url).pathname;
}

/** The id that the sender gave its request, when it is one that can be echoed. */
function requestIdOf(request: Request): string | undefined {
  const id = request.headers.get("X-Request-Id");
  return id !== null && /^[\w.:-]{1,128}$/.test(id) ? id : undefined;
}

function createNotes(initial: Readonly<Record<string, string>>) {
  const headers = new Map(Object.entries(initial));
  const warnings: string[] = [];
  return {
    headers,
    warnings,
    warn(remark: string) {
      warnings.push(remark);
    },
    addHeaders(added: Readonly<Record<string, string>>) {
      for (const [name, value] of Object.entries(added)) headers.set(name, value);
    },
  };
}

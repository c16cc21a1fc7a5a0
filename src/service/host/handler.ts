import { setTimeout as delay } from "node:timers/promises";
import type { RouteSetName } from "../../contract/route.ts";
import { applyAfter, applyBefore, dropConnection, isDropped } from "../development/apply-fault.ts";
import { isControlPath } from "../development/control-path.ts";
import type { Faults } from "../development/faults.ts";
import { InjectedReset } from "../development/injected-reset.ts";
import type { RequestLog } from "../development/request-log.ts";
import type { Connection, RequestContext, RequestFacts } from "../http/request-context.ts";
import { toResponse, withDefaultHeaders, type AnyResponse } from "../http/response.ts";
import { fromFetchRequest, type HttpRequest, type RequestHeaders } from "../http/request.ts";
import type { AnsweredRequest } from "./request-log.ts";
import { ProblemError } from "../http/problem.ts";

/** What differs between the host of the API and the host of published pages. */
export interface Host {
  find(asked: Asked): Destination;
  /** Serves what `Destination.serve` does not: whatever is not asked for often. */
  answer(request: Request, exchange: RequestContext): Response | Promise<Response>;
  /** Turns anything thrown into an answer. */
  fail(error: unknown, exchange: RequestContext): AnyResponse | Promise<AnyResponse>;
}

export type Asked = Pick<HttpRequest, "method" | "host" | "scheme" | "path" | "headers">;

/** Where a request leads. */
export interface Destination {
  /** To tell in the request log what was asked for, and to match the rules of ordered faults. */
  readonly routeSet: RouteSetName | undefined;
  readonly operation: string | undefined;
  /** Headers that every answer carries unless it has its own. */
  readonly headers: Readonly<Record<string, string>>;
  /** Serves the request without the objects of Fetch; `undefined`: `Host.answer` does it. */
  readonly serve: ((request: HttpRequest, exchange: RequestContext) => AnyResponse | Promise<AnyResponse>) | undefined;
}

/** A host with all that happens around every request. */
export interface HostHandler {
  /** Answers any request: one over a socket, or one in process when there is no connection. */
  fetch(request: Request, connection?: Connection): Promise<Response>;
  /**
   * Answers a request that is asked for often and was read off its socket, without the objects of Fetch; `undefined`
   * for every other one, which is for `fetch`.
   */
  findAnswer(request: HttpRequest, connection: Connection): Promise<AnyResponse> | undefined;
}

export interface HostOptions {
  readonly faults: Faults;
  readonly requestLog: RequestLog;
  now(): Date;
  newRequestId(): string;
  /** Called with every request once it is answered. Must not throw. */
  onAnswered?(request: AnsweredRequest): void;
}

/** Puts around a host what happens to every request: its id, ordered faults, common headers, the log. */
export function createHostHandler(host: Host, options: HostOptions): HostHandler {
  const { pass, attempt } = createPassage(host, options);
  const { faults } = options;
  return {
    async fetch(request, connection) {
      const plain = fromFetchRequest(request);
      const destination = host.find(plain);
      const { serve } = destination;
      const work = async (exchange: RequestContext) => {
        const site = { request, connection };
        const instead = exchange.fault && (await applyBefore(exchange.fault, site));
        if (instead !== undefined) return instead;
        const outcome = await attempt(exchange, () => serve?.(plain, exchange) ?? host.answer(request, exchange));
        const response = toResponse(outcome, plain);
        return exchange.fault === undefined ? response : await applyAfter(exchange.fault, response, site);
      };
      return toResponse(await pass({ asked: plain, destination, connection, work }));
    },
    findAnswer(request, connection) {
      // Faults work on what Fetch calls a response.
      if (faults.areRuled) return undefined;
      const destination = host.find(request);
      const { serve } = destination;
      if (serve === undefined) return undefined;
      const work = (exchange: RequestContext) => attempt(exchange, () => serve(request, exchange));
      return pass({ asked: request, destination, connection, work });
    },
  };
}

function createPassage(host: Host, { faults, requestLog, onAnswered, now, newRequestId }: HostOptions) {
  let running = 0;
  return {
    /** Serves a request, whatever is thrown. */
    async attempt(exchange: RequestContext, serve: () => AnyResponse | Promise<AnyResponse>): Promise<AnyResponse> {
      try {
        if (running > faults.maxConcurrent) {
          throw new ProblemError("unavailable", { headers: { "Retry-After": "1" } });
        }
        return await serve();
      } catch (error) {
        return error instanceof InjectedReset ? dropConnection(exchange.connection) : await host.fail(error, exchange);
      }
    },
    async pass({ asked, destination, connection, work }: Passage): Promise<AnyResponse> {
      const started = performance.now();
      const at = now().getTime();
      const { method, path, headers } = asked;
      const { routeSet, operation } = destination;
      const requestId = requestIdOf(headers) ?? newRequestId();
      const fault = faults.take({ method, path, operation });
      const { notes, taken } = createNotes(operation);
      let status = 0;
      running++;
      try {
        if (faults.latencyMs > 0) await delay(faults.latencyMs);
        const outcome = await work({ requestId, path, fault, connection, ...taken });
        if (isDropped(outcome)) return outcome;
        ({ status } = outcome);
        return withDefaultHeaders(outcome, { ...destination.headers, "X-Request-Id": requestId, ...notes.headers });
      } finally {
        running--;
        const ms = performance.now() - started;
        if (!isControlPath(path)) {
          const { warnings, facts } = notes;
          const answered = { at, method, path, routeSet, operation: notes.operation, status, ms, warnings };
          requestLog.add(answered);
          onAnswered?.({ ...answered, ...facts, requestId });
        }
      }
    },
  };
}

interface Passage {
  readonly asked: Asked;
  readonly destination: Destination;
  readonly connection: Connection | undefined;
  readonly work: (exchange: RequestContext) => Promise<AnyResponse>;
}

/** The id that the sender gave its request, when it is one that can be echoed. */
function requestIdOf(headers: RequestHeaders): string | undefined {
  const id = headers.get("X-Request-Id");
  return id !== null && /^[\w.:-]{1,128}$/.test(id) ? id : undefined;
}

interface Notes {
  headers: Readonly<Record<string, string>> | undefined;
  warnings: readonly string[];
  facts: RequestFacts | undefined;
  operation: string | undefined;
}

const NO_WARNINGS: readonly string[] = [];

/** What a request notes while it is served; for most there is nothing. */
function createNotes(operation: string | undefined) {
  const notes: Notes = { headers: undefined, warnings: NO_WARNINGS, facts: undefined, operation };
  const taken: Pick<RequestContext, "warn" | "tell" | "setOperation" | "addHeaders"> = {
    warn(remark) {
      notes.warnings = [...notes.warnings, remark];
    },
    tell(told) {
      notes.facts = { ...notes.facts, ...told };
    },
    setOperation(name) {
      notes.operation = name;
    },
    addHeaders(added) {
      notes.headers = { ...notes.headers, ...added };
    },
  };
  return { notes, taken };
}

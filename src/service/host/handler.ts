import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { base62, RANDOM_BYTES } from "../../contract/api-key.ts";
import type { RandomBytes } from "../resources/context.ts";
import type { RouteSetName } from "../../contract/route.ts";
import type { Connection, RequestContext, RequestFacts } from "../http/request-context.ts";
import { fromFetchRequest, type HttpRequest, type RequestHeaders } from "../http/request.ts";
import { toResponse, withDefaultHeaders, type AnyResponse } from "../http/response.ts";

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
  /** Names the request in the request log, and matches the rules of faults. */
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

/** A request that was answered, as far as logs may show it. */
export interface AnsweredRequest extends RequestFacts {
  readonly requestId: string;
  /** In milliseconds since 1970. */
  readonly at: number;
  readonly method: string;
  /** Without the query, which may hold what nobody should read. */
  readonly path: string;
  readonly routeSet: RouteSetName | undefined;
  /** The operation of the contract, or `mcp:` and the tool; `undefined` for pages, files and unknown routes. */
  readonly operation: string | undefined;
  /** 0 when no answer was sent. */
  readonly status: number;
  /** How long the answer took, in milliseconds. */
  readonly ms: number;
  readonly warnings: readonly string[];
}

export interface HostOptions {
  now(): Date;
  newRequestId(): string;
  /** Called with every request once it is answered. Must not throw. */
  onAnswered(request: AnsweredRequest): void;
}

/** Puts around a host what happens to every request: its id, common headers, the log. */
export function createHostHandler(host: Host, { now, newRequestId, onAnswered }: HostOptions): HostHandler {
  async function pass({ asked, destination, connection, serve }: Passage): Promise<AnyResponse> {
    const started = performance.now();
    const at = now().getTime();
    const { method, path, headers } = asked;
    const { routeSet, operation } = destination;
    const requestId = requestIdOf(headers) ?? newRequestId();
    const { notes, taken } = createNotes(operation);
    const context: RequestContext = { requestId, path, connection, ...taken };
    let status = 0;
    try {
      const response = await answer(context, serve);
      if (response === RESPONSE_ALREADY_SENT) return response;
      ({ status } = response);
      return withDefaultHeaders(response, { ...destination.headers, "X-Request-Id": requestId, ...notes.headers });
    } finally {
      const ms = performance.now() - started;
      const { warnings, facts } = notes;
      const answered = { at, method, path, routeSet, operation: notes.operation, status, ms, warnings };
      onAnswered({ ...answered, ...facts, requestId });
    }
  }

  async function answer(context: RequestContext, serve: Passage["serve"]): Promise<AnyResponse> {
    try {
      return await serve(context);
    } catch (error) {
      return await host.fail(error, context);
    }
  }

  return {
    async fetch(request, connection) {
      const asked = fromFetchRequest(request);
      const destination = host.find(asked);
      const { serve } = destination;
      const response = await pass({
        asked,
        destination,
        connection,
        serve: (context) => serve?.(asked, context) ?? host.answer(request, context),
      });
      return toResponse(response, asked);
    },
    findAnswer(request, connection) {
      const destination = host.find(request);
      const { serve } = destination;
      if (serve === undefined) return undefined;
      return pass({ asked: request, destination, connection, serve: (context) => serve(request, context) });
    },
  };
}

interface Passage {
  readonly asked: Asked;
  readonly destination: Destination;
  readonly connection: Connection | undefined;
  readonly serve: (context: RequestContext) => AnyResponse | Promise<AnyResponse>;
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
  const taken: Pick<RequestContext, "warn" | "addFacts" | "setOperation" | "addHeaders"> = {
    warn(remark) {
      notes.warnings = [...notes.warnings, remark];
    },
    addFacts(added) {
      notes.facts = { ...notes.facts, ...added };
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

const START_LENGTH = 12;
const COUNT_LENGTH = 10;

/**
 * Makes ids for requests. They have to be different and need not be secret, so they count on from a random start, which
 * distinguishes processes.
 */
export function createRequestIds(random: RandomBytes): () => string {
  const start = base62(random(RANDOM_BYTES)).slice(-START_LENGTH);
  let count = 0;
  return () => `req_${start}${(count++).toString(36).padStart(COUNT_LENGTH, "0")}`;
}

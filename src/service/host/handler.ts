import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { base62, RANDOM_BYTES } from "../../contract/api-key.ts";
import type { RandomBytes } from "../resources/context.ts";
import type { RouteSetName } from "../../contract/route.ts";
import type { Connection, RequestContext, RequestFacts } from "../http/request-context.ts";
import {
  fromFetchRequest,
  type HttpRequest,
  type RequestHeaders,
  toResponse,
  withDefaultHeaders,
  type AnyResponse,
} from "../http/messages.ts";

/** The differences between the API host and the host of published pages. */
export interface Host {
  find(asked: Asked): Destination;
  /** Handles less frequent requests, which have no `Destination.serve`. */
  answer(request: Request, context: RequestContext): Response | Promise<Response>;
  fail(error: unknown, context: RequestContext): AnyResponse | Promise<AnyResponse>;
}

export type Asked = Pick<HttpRequest, "method" | "host" | "scheme" | "path" | "headers">;

/** Where a request is handled. */
export interface Destination {
  /** Identifies the request in the request log, and for fault rules. */
  readonly routeSet: RouteSetName | undefined;
  readonly operation: string | undefined;
  /** Default headers of every response. */
  readonly headers: Readonly<Record<string, string>>;
  /** Handles the request without Fetch objects; `undefined` if only `Host.answer` can. */
  readonly serve: ((request: HttpRequest, context: RequestContext) => AnyResponse | Promise<AnyResponse>) | undefined;
}

/** A host with everything that surrounds a request. */
export interface HostHandler {
  /** Handles any request, over a socket or, without `connection`, in process. */
  fetch(request: Request, connection?: Connection): Promise<Response>;
  /**
   * Handles a frequent kind of request, as read from its socket, without Fetch objects. Returns `undefined` for any
   * other, which `fetch` handles.
   */
  findAnswer(request: HttpRequest, connection: Connection): Promise<AnyResponse> | undefined;
}

/** A completed request, as far as it may be logged. */
export interface AnsweredRequest extends RequestFacts {
  readonly requestId: string;
  /** In milliseconds since 1970. */
  readonly at: number;
  readonly method: string;
  /** Without the query, which may contain secrets. */
  readonly path: string;
  readonly routeSet: RouteSetName | undefined;
  /** The operation of the contract, or `mcp:` and the tool; `undefined` for pages, files and unknown routes. */
  readonly operation: string | undefined;
  /** 0 if no response was sent. */
  readonly status: number;
  /** Response time in milliseconds. */
  readonly ms: number;
  readonly warnings: readonly string[];
}

export interface HostOptions {
  now(): Date;
  newRequestId(): string;
  /** Called after every request. Must not throw. */
  onAnswered(request: AnsweredRequest): void;
}

/** Adds a host's request ids, common headers and logging. */
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

/** Collects a request's notes; most requests have none. */
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
 * Creates request ids. They must be unique but not secret, so they count up from a random start that identifies the
 * process.
 */
export function createRequestIds(random: RandomBytes): () => string {
  const start = base62(random(RANDOM_BYTES)).slice(-START_LENGTH);
  let count = 0;
  return () => `req_${start}${(count++).toString(36).padStart(COUNT_LENGTH, "0")}`;
}

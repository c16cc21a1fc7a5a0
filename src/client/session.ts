import { ImprintError } from "../base/error.ts";
import type { Logger } from "../base/log.ts";
import type { Dialect } from "../contract/dialect.ts";
import type { OperationName } from "../contract/operations.ts";
import type { Method, RouteSetName, Row } from "../contract/route.ts";
import type { Capabilities, Page } from "./api.ts";
import { areaOf, createAreas } from "./areas.ts";
import type { Discovered } from "./discover.ts";
import { createOutage } from "./outage.ts";
import { baseOfPattern, findPagesAt } from "./published-address.ts";
import { capabilitiesOf, findRoute, pathOf } from "./routes.ts";
import type { RecordContext } from "./records/read-record.ts";
import type { EncodedBody } from "./transport/body.ts";
import { failureOf } from "./transport/outcome.ts";
import type { RepeatPolicy } from "./transport/retry.ts";
import type { Reply, Transport } from "./transport/transport.ts";

type Query = Readonly<Record<string, string>>;

export interface SessionCall {
  /** Values of the path parameters, in order. */
  readonly parameters?: readonly string[];
  readonly query?: Query;
  /** Query fields that may be omitted if the service doesn't support them. */
  readonly optional?: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: EncodedBody;
  /** Default: `always` for GET, PUT, and DELETE, `unsent` for POST and PATCH. */
  readonly repeat?: RepeatPolicy;
  readonly connection?: "shared" | "own";
  readonly expects?: "json" | "document";
  /**
   * Whether to send an extension that the service hasn't announced.
   *
   * @default "refuse"
   */
  readonly ifUnannounced?: "send" | "refuse";
  readonly signal?: AbortSignal;
}

export interface SessionReply extends Reply {
  /** What a parser needs besides the response. */
  readonly context: RecordContext;
  /** The query that was finally sent. */
  readonly query: Query;
}

/** A connected service: its route set, its capabilities, and what was learned about it. */
export interface Session {
  readonly baseUrl: string;
  readonly routeSet: RouteSetName;
  readonly logger: Logger;
  readonly sleep: Transport["sleep"];
  capabilities(): Capabilities;
  /** The initial dialect, plus what responses have shown since. */
  dialect(): Dialect;
  /** Sends one operation. Throws `NOT_SUPPORTED` before any request if the service doesn't have it. */
  call(operation: OperationName, call: SessionCall): Promise<SessionReply>;
  /**
   * Records where a page is published, and returns the page. A page that was requested or written takes precedence over
   * one from a list.
   */
  recordPage(page: Page, source: "list" | "page"): Page;
  /** Saves what was learned about the dialect. `message` is shown to the user once. */
  learn(learned: Dialect, message: string | undefined): void;
  close(): Promise<void>;
}

export interface SessionSources extends Omit<Discovered, "isProven"> {
  /** Whether the service has responded to a request with this key. */
  readonly isProven: () => boolean;
  readonly transport: Transport;
  readonly logger: Logger;
  /** Address of published pages, or its pattern, if the caller knows it. */
  readonly pagesUrl: string | undefined;
  /** What is already known about the service's dialect. */
  readonly dialect: Dialect | undefined;
}

export function createSession(sources: SessionSources): Session {
  const { transport, routeSet, account, logger, pagesUrl, dialect: given = {} } = sources;
  const send = createSender(transport);
  // The address of a single page doesn't override what a user or the service itself specifies.
  const mayLearnPages = pagesUrl === undefined && account === undefined;
  const outage = createOutage(transport.baseUrl);
  let dialect = given;
  let capabilities = capabilitiesOf({ routeSet, account, pagesUrl: pagesUrl ?? given.pagesAt });

  const areas = createAreas({
    baseUrl: transport.baseUrl,
    isProven: sources.isProven,
    async askPages() {
      const route = findRoute(routeSet, "pages.list");
      if (route !== undefined) await send(route, { query: { limit: "1" }, optional: ["limit"] });
    },
  });

  return {
    baseUrl: transport.baseUrl,
    routeSet,
    logger,
    sleep: transport.sleep,
    capabilities: () => ({ ...capabilities, clockAheadMs: transport.clockAheadMs }),
    dialect: () => dialect,
    async call(operation, call) {
      const route = findRoute(routeSet, operation);
      const isKnown = call.ifUnannounced === "send" || capabilities.operations.has(operation);
      if (route === undefined || !isKnown) {
        throw notSupported(operation, { baseUrl: transport.baseUrl, routeSet });
      }
      try {
        const mayRepeat = (call.repeat ?? usualPolicy(route.method)) === "always";
        const sendAgain = () =>
          send(route, call).catch((error: unknown) => {
            if (!mayRepeat || !areas.isStray(error, route)) throw error;
            return send(route, call);
          });
        const reply = await (route.method === "GET" ? sendAgain() : outage.send(areaOf(operation), sendAgain));
        if (call.expects !== "document") areas.recordResponse(route);
        return reply;
      } catch (error) {
        throw await areas.judge(error, route);
      }
    },
    recordPage(page, source) {
      if (!mayLearnPages || (source === "list" && capabilities.pagesAt !== undefined)) return page;
      const pagesAt = findPagesAt(page, { baseUrl: transport.baseUrl });
      if (pagesAt === undefined || pagesAt === capabilities.pagesAt) return page;
      capabilities = { ...capabilities, pagesAt, pagesUrl: baseOfPattern(pagesAt) };
      dialect = { ...dialect, pagesAt };
      return page;
    },
    learn(learned, message) {
      dialect = { ...dialect, ...learned };
      const { pagesAt } = "pagesAt" in learned ? learned : capabilities;
      capabilities = { ...capabilities, pagesAt, pagesUrl: baseOfPattern(pagesAt) };
      if (message !== undefined) logger.warn(message);
    },
    close: () => transport.close(),
  };
}

type Send = (route: Row, call: SessionCall) => Promise<SessionReply>;

// A service may reject query fields that the specification doesn't show. The request is then sent without filters,
// finally without any such field, and they aren't sent again.
function createSender(transport: Transport): Send {
  const refusedFields = new Set<string>();

  async function send(route: Row, call: SessionCall): Promise<SessionReply> {
    const nameOf = (field: string) => `${route.operation} ${field}`;
    const query = omit(call.query ?? {}, (field) => refusedFields.has(nameOf(field)));
    try {
      return await sendOnce({ ...call, query }, { route, transport });
    } catch (error) {
      const optional = (call.optional ?? []).filter((field) => field in query);
      const filters = optional.filter((field) => field !== "limit");
      const dropped = filters.length > 0 ? filters : optional;
      if (dropped.length === 0 || !isRefusedQuery(error)) throw error;
      const reply = await send(route, { ...call, query: omit(query, (field) => dropped.includes(field)) });
      for (const field of dropped) refusedFields.add(nameOf(field));
      return reply;
    }
  }

  return send;
}

function omit(query: Query, isDropped: (field: string) => boolean): Query {
  return Object.fromEntries(Object.entries(query).filter(([field]) => !isDropped(field)));
}

async function sendOnce(
  call: SessionCall,
  { route, transport }: { readonly route: Row; readonly transport: Transport },
): Promise<SessionReply> {
  const { parameters = [], query = {}, headers, body, signal } = call;
  const reply = await transport.send({
    operation: route.operation,
    method: route.method,
    path: pathOf(route, { parameters, query }),
    namesRecord: parameters.length > 0,
    headers,
    body,
    repeat: call.repeat ?? usualPolicy(route.method),
    connection: call.connection ?? "shared",
    expects: call.expects ?? "json",
    signal,
  });
  const { baseUrl, redact } = transport;
  return { ...reply, context: { baseUrl, from: `${route.method} ${route.path}`, redact }, query };
}

function usualPolicy(method: Method): RepeatPolicy {
  return method === "POST" || method === "PATCH" ? "unsent" : "always";
}

function isRefusedQuery(error: unknown): boolean {
  const status = failureOf(error)?.status;
  return status === 400 || status === 422;
}

function notSupported(
  operation: OperationName,
  { baseUrl, routeSet }: { readonly baseUrl: string; readonly routeSet: RouteSetName },
): ImprintError {
  const set = routeSet.toUpperCase();
  if (findRoute(routeSet, operation) !== undefined) {
    return new ImprintError(
      "NOT_SUPPORTED",
      `${baseUrl} doesn't announce ${operation}, which isn't part of route set ${set}.`,
      {
        hint: "Use the service's dashboard. Or use a key with the scope account:read: without it, imprint can't read what the service supports.",
      },
    );
  }
  const other = routeSet === "a" ? "b" : "a";
  const hint = `Use route set ${other.toUpperCase()} if the service offers it (\`routeSet: "${other}"\`), or the service's dashboard.`;
  return new ImprintError("NOT_SUPPORTED", `Route set ${set}, which ${baseUrl} uses, has no ${operation}.`, { hint });
}

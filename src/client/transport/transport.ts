import { setTimeout as wait } from "node:timers/promises";
import { parseExactJson } from "../../base/json.ts";
import type { Method } from "../../contract/route.ts";
import type { Settings } from "../options.ts";
import { createConnection, type Connection, type RawResponse } from "./connection.ts";
import { createGate, type Gate, type GateResult } from "./gate.ts";
import { saysNoneFound } from "./empty-list.ts";
import { statusInBody } from "./error-body.ts";
import { createRequestError, readErrorAnswer, readStrangeAnswer, type Failed, type Target } from "./errors.ts";
import { openBody, type EncodedBody } from "./body.ts";
import { readNetworkError } from "./network-error.ts";
import { outcomeOfFacts } from "./outcome.ts";
import { createBearer, type Bearer } from "./bearer.ts";
import { parseRetryAfter, planRetry, type RepeatPolicy } from "./retry.ts";
import { createUsedUp, type UsedUp } from "./used-up.ts";

/** One request to the service, sent as often as necessary. */
export interface Call {
  readonly operation: string;
  readonly method: Method;
  /** Below the base address, including the query: `/api/pages?limit=100`. */
  readonly path: string;
  readonly namesRecord: boolean;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: EncodedBody;
  readonly repeat: RepeatPolicy;
  readonly connection: "shared" | "own";
  readonly expects: "json" | "document";
  readonly signal: AbortSignal | undefined;
}

/** A successful response. */
export interface Reply {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly text: string;
  /** `undefined` if the body is empty or a document was requested. */
  readonly json: unknown;
}

/** The connection to the service: connections, timeouts, retries, and errors that explain what happened. */
export interface Transport {
  readonly baseUrl: string;
  /** Removes the key from a text. */
  redact(text: string): string;
  send(call: Call): Promise<Reply>;
  /** Waits until the time is up, the signal is aborted, or the client is stopped. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Number of concurrent requests that the service was found to handle. */
  readonly concurrency: number;
  /** How far this machine's clock is ahead of the service's, in milliseconds, by its latest response. */
  readonly clockAheadMs: number | undefined;
  close(): Promise<void>;
}

// For slow networks: a body gets the time that it needs at 50 kB/s before the wait for a response counts as silence.
const SLOWEST_BYTES_PER_MS = 50;

// Keeps a byte order mark, so that a document is returned as it was stored.
const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

export function createTransport(settings: Settings): Transport {
  const { baseUrl } = settings;
  const bearer = createBearer(settings);
  const basePath = new URL(baseUrl).pathname.replace(/\/$/, "");
  const gate = createGate({
    initial: settings.initialConcurrency,
    max: settings.maxConnections,
    longestWaitMs: settings.maxThrottledMs,
    now: () => performance.now(),
    sleep: (ms) => pause(ms, { settings, signal: settings.signal }),
  });
  const line: Line = {
    settings,
    basePath,
    gate,
    connection: createConnection(settings),
    bearer,
    usedUp: createUsedUp(),
    redact: (text) => bearer.redact(text),
    clock: { aheadMs: undefined },
  };
  return {
    get concurrency() {
      return gate.concurrency;
    },
    get clockAheadMs() {
      return line.clock.aheadMs;
    },
    baseUrl,
    redact: line.redact,
    send: (call) => send(call, line),
    sleep: (ms, signal) => pause(ms, { settings, signal }),
    close: () => line.connection.close(),
  };
}

interface Line {
  readonly settings: Settings;
  /** Path of the base address, without a trailing slash. */
  readonly basePath: string;
  readonly connection: Connection;
  readonly gate: Gate;
  readonly bearer: Bearer;
  readonly usedUp: UsedUp;
  readonly redact: (text: string) => string;
  /** Shared by all calls. */
  readonly clock: { aheadMs: number | undefined };
}

async function send(call: Call, line: Line): Promise<Reply> {
  const { settings, redact } = line;
  const { maxAttempts, maxThrottledMs, random, logger } = settings;
  const signal = joinSignals(call.signal, settings.signal);
  let mayBeDone = false;
  let throttles = 0;
  let throttledMs = 0;
  const quota = line.usedUp.startCall(call.method);
  for (let tries = 1; ; tries++) {
    const result = await attempt({ ...call, signal }, { ...line, tries });
    if (result.kind === "reply") return result.reply;
    const { facts } = result.failed;
    const outcome = outcomeOfFacts(facts);
    const isThrottled = outcome === "throttled";
    if (isThrottled) throttles++;
    const attempts = tries - throttles;
    const state = { policy: call.repeat, attempts, maxAttempts, throttles, throttledMs, maxThrottledMs, random };
    const isLast = result.failed.error === "ABORTED" || (isThrottled && quota.isUsedUp);
    const delay = isLast ? undefined : planRetry(facts, state);
    if (delay === undefined) {
      if (isThrottled && throttledMs > 0) quota.endedThrottled();
      throw createRequestError({ ...result.failed, facts: { ...facts, mayBeDone } }, redact);
    }
    mayBeDone ||= outcome === "ambiguous";
    if (isThrottled) throttledMs += delay;
    logger.debug(redact(`${facts.message} Sent again in ${Math.round(delay)} ms.`));
    await pause(delay, { settings, signal });
  }
}

/** Waits until the time is up, the signal is aborted, or the client is stopped; the caller determines which. */
export async function pause(
  ms: number,
  { settings, signal }: { readonly settings: Settings; readonly signal: AbortSignal | undefined },
): Promise<void> {
  const ended = joinSignals(signal, settings.stop);
  try {
    await (settings.sleep ?? sleep)(ms, ended);
  } catch (error) {
    if (ended?.aborted !== true) throw error;
  }
}

async function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  await wait(ms, undefined, { signal });
}

type Attempted =
  | { readonly kind: "reply"; readonly reply: Reply }
  | { readonly kind: "failed"; readonly failed: Failed };

async function attempt(call: Call, line: Line & { readonly tries: number }): Promise<Attempted> {
  const target = targetOf(call, line);
  const token = await line.bearer.current();
  const turn = await line.gate.enter(joinSignals(call.signal, line.settings.stop));
  const started = performance.now();
  const isStopped = call.signal?.aborted === true || line.settings.stop?.aborted === true;
  const result: Exchanged = isStopped
    ? { answer: undefined, failed: aborted(target, "before-sending") }
    : await exchange(call, { ...line, target, token });
  const { answer, failed } = result;
  const ms = performance.now() - started;
  const retryAfterMs = failed?.facts.retryAfterMs;
  const kind = gateKind(answer, failed);
  if (answer !== undefined && kind !== "throttled") line.usedUp.answered(call.method);
  turn.leave({ kind, ms, retryAfterMs, headers: answer?.headers ?? new Map() });
  if (!isStopped)
    line.settings.onRequest?.({
      operation: call.operation,
      method: call.method,
      path: line.redact(call.path),
      status: answer?.status,
      failure: failed === undefined ? undefined : (failed.facts.code ?? failed.error),
      ms,
      attempt: line.tries,
      bytesSent: call.body?.size ?? 0,
      bytesReceived: answer?.bytes.byteLength ?? 0,
      retryAfterMs,
    });
  return result.failed === undefined
    ? { kind: "reply", reply: result.reply }
    : { kind: "failed", failed: result.failed };
}

function gateKind(answer: RawResponse | undefined, failed: Failed | undefined): GateResult["kind"] {
  if (failed === undefined) return "done";
  if (failed.facts.status === 429) return "throttled";
  if (answer?.status === 503) return "busy";
  // A service that rejects a request isn't too busy to do so.
  return answer !== undefined && answer.status < 500 ? "done" : "failed";
}

type Exchanged =
  | { readonly answer: RawResponse; readonly reply: Reply; readonly failed?: undefined }
  | { readonly answer: RawResponse | undefined; readonly failed: Failed };

async function exchange(
  call: Call,
  line: Line & { readonly target: Target; readonly token: string },
): Promise<Exchanged> {
  const { connection, settings, target, token } = line;
  const { timeoutMs, maxResponseBytes } = settings;
  let answer: RawResponse;
  try {
    answer = await connection.send({
      method: call.method,
      path: line.basePath + call.path,
      headers: headersOf(call, { ...settings, token }),
      body: call.body === undefined ? undefined : openBody(call.body),
      signal: call.signal,
      headersTimeoutMs: timeoutMs + (call.body?.size ?? 0) / SLOWEST_BYTES_PER_MS,
      connection: call.connection,
    });
  } catch (error) {
    if (call.signal?.aborted === true) return { answer: undefined, failed: aborted(target, "on-the-way") };
    const whileConnecting = connection.isConnectError(error);
    const { proxy } = connection;
    const failed = readNetworkError(error, { target, proxy, whileConnecting, timeoutMs, maxResponseBytes });
    return { answer: undefined, failed };
  }
  return readAnswer(answer, { call, line });
}

function headersOf(call: Call, { token, userAgent }: Settings & { readonly token: string }): Record<string, string> {
  return {
    ...call.headers,
    ...(call.body === undefined
      ? {}
      : { "content-type": call.body.contentType, "content-length": String(call.body.size) }),
    accept: call.expects === "json" ? "application/json, application/problem+json" : "*/*",
    "accept-encoding": "identity",
    "user-agent": userAgent,
    authorization: `Bearer ${token}`,
  };
}

function readAnswer(
  answer: RawResponse,
  { call, line }: { readonly call: Call; readonly line: Line & { readonly target: Target } },
): Exchanged {
  const { status, headers } = answer;
  const timing = { date: headers.get("date"), now: line.settings.now() };
  const date = Date.parse(timing.date ?? "");
  if (!Number.isNaN(date)) line.clock.aheadMs = timing.now - date;
  const retryAfterMs = parseRetryAfter(headers.get("retry-after"), timing);
  const text = decode(answer.bytes);
  const response = { status, headers, text: text ?? "", retryAfterMs };
  if (status < 200 || status >= 300) {
    const failed = readErrorAnswer(response, line.target);
    if (!saysNoneFound(failed.facts, call.operation)) return { answer, failed };
    return { answer, reply: { status: 204, headers, text: "", json: undefined } };
  }
  // A document may be long, and is rarely JSON.
  const isDocument = call.expects === "document" && text !== undefined && !text.startsWith("{");
  const parsed =
    text === undefined || isDocument ? undefined : (parseJson(text) ?? parseAcknowledgement(text, { call, headers }));
  const meant = statusInBody(parsed?.json);
  if (meant !== undefined)
    return { answer, failed: readErrorAnswer({ ...response, status: meant, sent: status }, line.target) };
  if (call.expects === "document" && text !== undefined) {
    return { answer, reply: { status, headers, text, json: undefined } };
  }
  if (text === undefined || parsed === undefined) return { answer, failed: readStrangeAnswer(response, line.target) };
  return { answer, reply: { status, headers, text, json: parsed.json } };
}

function decode(bytes: Buffer): string | undefined {
  try {
    return UTF8.decode(bytes);
  } catch {
    return undefined;
  }
}

function parseJson(text: string): { readonly json: unknown } | undefined {
  const json = text.replace(/^\ufeff/, "");
  if (json.trim() === "") return { json: undefined };
  try {
    return { json: parseExactJson(json) };
  } catch {
    return undefined;
  }
}

const SHORT_TEXT = /^[\p{L}\p{N}][\p{L}\p{N} .,:;!'/_-]{0,59}$/u;

/** A short plain text in response to a write, such as `OK`, counts as a JSON text. */
function parseAcknowledgement(
  text: string,
  { call, headers }: { readonly call: Call; readonly headers: RawResponse["headers"] },
): { readonly json: unknown } | undefined {
  const isText = /^text\/plain\b/i.test(headers.get("content-type") ?? "text/plain");
  return call.method !== "GET" && isText && SHORT_TEXT.test(text.trim()) ? { json: text.trim() } : undefined;
}

function aborted({ request }: Target, stage: "before-sending" | "on-the-way"): Failed {
  return { error: "ABORTED", facts: { message: `${request} was interrupted.`, stage } };
}

function targetOf(call: Call, { settings, bearer }: Line): Target {
  const { method, path, namesRecord } = call;
  const request = `${method} ${path.replace(/\?.*$/, "")}`;
  return { baseUrl: settings.baseUrl, request, namesRecord, credential: bearer.kind };
}

function joinSignals(first: AbortSignal | undefined, second: AbortSignal | undefined): AbortSignal | undefined {
  if (first === undefined || first === second) return second;
  return second === undefined ? first : AbortSignal.any([first, second]);
}

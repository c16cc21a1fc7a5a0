import { pluralize } from "../../base/pluralize.ts";
import { messageOf } from "../../base/error.ts";
import { SILENT_LOGGER, type Logger } from "../../base/log.ts";
import type { Development } from "../development/development.ts";
import type { Core } from "./core.ts";
import { asProblem } from "../store/as-problem.ts";
import { insertLoggedRequests, type LoggedRequest } from "../store/requests.ts";
import type { Database } from "../store/tables.ts";
import type { AnsweredRequest } from "./handler.ts";

/** Stores API requests in the database, for the dashboard. */
export interface RequestRecorder {
  /** Records a request; it is written shortly afterwards, in one transaction with others. */
  record(request: AnsweredRequest): void;
  /** Writes recorded requests. Call it before listing requests. Never throws. */
  flush(): Promise<void>;
  /** Writes recorded requests and stops. */
  close(): Promise<void>;
}

export interface RecorderOptions {
  readonly database: Database;
  readonly logger: Logger;
  readonly newId: () => string;
  /** The account for requests without a valid key. */
  readonly defaultAccountId: string;
  /** `false` writes only on `flush` and `close`. */
  readonly isBackground: boolean;
}

const EVERY_MS = 1000;
const ROWS_AT_ONCE = 200;
// Limit of recorded requests while the database doesn't respond; newer ones are dropped.
const MAX_WAITING = 20_000;
// After this many failures, the database is unlikely to ever accept them.
const MAX_TRIES = 5;
const MAX_PATH = 500;
const COUNT_DIGITS = 8;

export function createRequestRecorder(options: RecorderOptions): RequestRecorder {
  const { database, logger, isBackground } = options;
  let waiting: LoggedRequest[] = [];
  let leftOut = 0;
  let tries = 0;
  let count = 0;
  let writing = Promise.resolve();

  async function write(): Promise<void> {
    while (waiting.length > 0) {
      const rows = waiting.slice(0, ROWS_AT_ONCE);
      try {
        await insertLoggedRequests(database, rows);
        tries = 0;
      } catch (error) {
        const { code } = asProblem(error);
        // An outage or a full disk passes; a damaged database accepts no more writes.
        if (code === "internal") tries += 1;
        const isGivenUp = tries >= MAX_TRIES || code === "storage_damaged";
        if (!isGivenUp) return void logger.error(`The request log could not be written: ${messageOf(error)}`);
        logger.error(`${missing(rows.length)}: ${messageOf(error)}`);
        tries = 0;
      }
      waiting = waiting.slice(rows.length);
    }
    if (leftOut > 0) logger.warn(`${missing(leftOut)}: too many at once.`);
    leftOut = 0;
  }

  function flush(): Promise<void> {
    if (waiting.length > 0) writing = writing.then(write);
    return writing;
  }

  const timer = isBackground ? setInterval(flush, EVERY_MS).unref() : undefined;
  return {
    record(request) {
      if (waiting.length >= MAX_WAITING) leftOut += 1;
      else waiting.push({ ...toLogged(request, options), id: numbered(options.newId(), count++) });
    },
    flush,
    async close() {
      clearInterval(timer);
      await flush();
    },
  };
}

/** Creates the callbacks for completed requests: the logger, the database, and the list of requests in development. */
export function createRequestReports({ settings, requests }: Core, development: Development | undefined) {
  const { logger } = settings;

  function onPagesAnswered(request: AnsweredRequest): void {
    development?.requestLog.add(request);
    // Page views are fast; skip the work if no one is listening.
    if (logger !== SILENT_LOGGER) logRequest(logger, request);
  }

  return {
    onPagesAnswered,
    onAppAnswered(request: AnsweredRequest): void {
      if (development?.isControlPath(request.path) === true) return;
      onPagesAnswered(request);
      if (isRecorded(request)) requests.record(request);
    },
  };
}

/** Whether a request to the API host is stored: API requests, and all other writes. */
export function isRecorded({ method, path, operation, status }: AnsweredRequest): boolean {
  // Clients that follow the log request it every second.
  if (operation === "requests.list" && status === 200) return false;
  return operation !== undefined || /^(?:\/[ab])?\/api(?:\/|$)/.test(path) || !["GET", "HEAD"].includes(method);
}

// Requests of the same millisecond are sorted by id, so ids must grow.
function numbered(id: string, count: number): string {
  const start = id.indexOf("_") + 1;
  const digits = count.toString(36).padStart(COUNT_DIGITS, "0");
  return `${id.slice(0, start)}${digits}${id.slice(start + COUNT_DIGITS)}`;
}

function toLogged(
  request: AnsweredRequest,
  { defaultAccountId }: Pick<RecorderOptions, "defaultAccountId">,
): Omit<LoggedRequest, "id"> {
  return {
    accountId: request.accountId ?? defaultAccountId,
    requestId: redactSecrets(request.requestId),
    method: request.method.slice(0, 20),
    path: redactSecrets(request.path).slice(0, MAX_PATH),
    routeSet: request.routeSet ?? null,
    operation: request.operation ?? null,
    status: request.status,
    ms: Math.round(request.ms * 10) / 10,
    keyId: request.keyId ?? null,
    problem: request.problem ?? null,
    warnings: request.warnings.map(redactSecrets),
    createdAt: new Date(request.at),
  };
}

/**
 * Logs a request. Server errors are errors, everything else is information: a rejected request is the client's problem
 * and needs no alert.
 */
export function logRequest(logger: Logger, request: AnsweredRequest): void {
  const { method, status } = request;
  const path = redactSecrets(request.path);
  const level = status >= 500 && status !== 503 ? "error" : "info";
  logger[level](`${method} ${path} ${status === 0 ? "no response" : status}`, {
    event: "request",
    method,
    path,
    status,
    ms: Math.round(request.ms * 10) / 10,
    requestId: redactSecrets(request.requestId),
    routeSet: request.routeSet,
    operation: request.operation,
    keyId: request.keyId,
    problem: request.problem,
    ...(request.warnings.length > 0 && { warnings: request.warnings.map(redactSecrets) }),
  });
}

/**
 * Redacts anything that may be a secret of this service: keys, webhook secrets, OAuth tokens and codes, and preview
 * tokens. Logs contain none on purpose; this covers what a client put into a path or message.
 */
export function redactSecrets(text: string): string {
  return text.replaceAll(SECRET, "$1…");
}

const SECRET = /\b(imp_[a-z]+_|whsec_|(?:at|rt|ac|pv)_|Bearer\s+)[\w+/=~.-]{8,}/gi;

function missing(requests: number): string {
  return `The request log lacks ${pluralize(requests, "request")}`;
}

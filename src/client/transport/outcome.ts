import { ImprintError, type ErrorCode } from "../../base/error.ts";
import type { FieldError } from "./error-body.ts";

/**
 * Outcome of a failed request:
 * - `not-sent`: it certainly never reached the service.
 * - `refused`: the service responded that it didn't carry it out.
 * - `throttled`: the service responded with 429 and did nothing.
 * - `ambiguous`: the service may have carried it out. Check before sending it again.
 */
export type RequestOutcome = "not-sent" | "refused" | "throttled" | "ambiguous";

/** Where an attempt ended: before anything was sent, in transit, or with a response. */
export type RequestStage = "before-sending" | "on-the-way" | "answered";

/** What is known about a failed request. None of its texts contain the key. */
export interface RequestFacts {
  readonly message: string;
  readonly stage: RequestStage;
  readonly status?: number;
  /** Why there was no response (`ECONNREFUSED`, `UND_ERR_SOCKET`), or no readable one (`BAD_JSON`). */
  readonly code?: string;
  /** The `code` of a problem document: `slug_taken`. */
  readonly problemCode?: string;
  readonly requestId?: string;
  /** The service's own message, without ours. */
  readonly said?: string;
  /** Fields named in the response, with their messages. */
  readonly fields?: readonly FieldError[];
  readonly retryAfterMs?: number;
  /** Whether a response with status 429 is about what the plan holds, which waiting doesn't change. */
  readonly isFixedLimit?: boolean;
  /** Whether an earlier attempt of the same call may have been carried out. */
  readonly mayBeDone?: boolean;
}

/** The cause of every `ImprintError` from a request. */
export class RequestFailure extends Error implements RequestFacts {
  override readonly name = "RequestFailure";
  declare readonly stage: RequestStage;
  declare readonly status: number | undefined;
  declare readonly code: string | undefined;
  declare readonly problemCode: string | undefined;
  declare readonly requestId: string | undefined;
  declare readonly said: string | undefined;
  declare readonly fields: readonly FieldError[] | undefined;
  declare readonly retryAfterMs: number | undefined;
  declare readonly isFixedLimit: boolean | undefined;
  declare readonly mayBeDone: boolean;

  constructor({ message, ...facts }: RequestFacts) {
    super(message);
    Object.assign(this, { mayBeDone: false }, facts);
  }
}

const REFUSALS: ReadonlySet<number> = new Set([400, 401, 402, 403, 404, 405, 410, 412, 413, 415, 422]);

// Without an underlying request, these errors were thrown before there was one.
const FOUND_BEFORE_SENDING: ReadonlySet<ErrorCode> = new Set([
  "NOT_SUPPORTED",
  "SERVICE_DOWN",
  "SLUG_INVALID",
  "OPTIONS_INVALID",
]);

/** Returns the details of a failed call, or `undefined` if the error isn't from a request. */
export function failureOf(error: unknown): RequestFailure | undefined {
  for (let link = error; link instanceof Error; link = link.cause) {
    if (link instanceof RequestFailure) return link;
  }
  return undefined;
}

/**
 * Determines whether a failed creation may have happened. Anything uncertain is `ambiguous`: every 5xx response, a
 * closed or reset connection, a timeout, a redirect, an unreadable response, and 409 (something exists).
 */
export function outcomeOf(error: unknown): RequestOutcome {
  const failure = failureOf(error);
  if (failure !== undefined) return outcomeOfFacts(failure);
  return error instanceof ImprintError && FOUND_BEFORE_SENDING.has(error.code) ? "not-sent" : "ambiguous";
}

export function outcomeOfFacts(facts: RequestFacts): RequestOutcome {
  if (facts.mayBeDone === true) return "ambiguous";
  if (facts.stage === "before-sending") return "not-sent";
  if (facts.stage === "on-the-way" || facts.status === undefined) return "ambiguous";
  if (facts.status === 429) return "throttled";
  // A key that was already used means that the first request with it arrived.
  if (facts.problemCode?.startsWith("idempotency_") === true) return "ambiguous";
  return REFUSALS.has(facts.status) ? "refused" : "ambiguous";
}

import { ImprintError, type ErrorCode } from "../../base/error.ts";
import type { FieldError } from "./error-body.ts";

/**
 * What became of a request that failed:
 * - `not-sent`: it surely never reached the service.
 * - `refused`: the service answered that it did not do it.
 * - `throttled`: the service answered 429 and did nothing.
 * - `ambiguous`: the service may have done it. Look before sending it again.
 */
export type RequestOutcome = "not-sent" | "refused" | "throttled" | "ambiguous";

/** Where an attempt ended: before anything was sent, on the way, or with an answer. */
export type RequestStage = "before-sending" | "on-the-way" | "answered";

/** What is known about a request that failed. Every text in it is free of the key. */
export interface RequestFacts {
  readonly message: string;
  readonly stage: RequestStage;
  readonly status?: number;
  /** Why there was no answer (`ECONNREFUSED`, `UND_ERR_SOCKET`), or none that could be read (`BAD_JSON`). */
  readonly code?: string;
  /** The `code` of a problem document: `slug_taken`. */
  readonly problemCode?: string;
  readonly requestId?: string;
  /** What the service says in its own words, without ours. */
  readonly said?: string;
  /** Fields that the answer names, with what it says of them. */
  readonly fields?: readonly FieldError[];
  readonly retryAfterMs?: number;
  /** Whether an earlier attempt of the same call may have been carried out. */
  readonly mayBeDone?: boolean;
}

/** The cause of every `ImprintError` that a request ended with. */
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
  declare readonly mayBeDone: boolean;

  constructor({ message, ...facts }: RequestFacts) {
    super(message);
    Object.assign(this, { mayBeDone: false }, facts);
  }
}

const REFUSALS: ReadonlySet<number> = new Set([400, 401, 402, 403, 404, 405, 410, 412, 413, 415, 422]);

// Without a request behind them, these were thrown before there was one.
const FOUND_BEFORE_SENDING: ReadonlySet<ErrorCode> = new Set(["NOT_SUPPORTED", "SLUG_INVALID", "OPTIONS_INVALID"]);

/** What a failed call says about itself; `undefined` when the error does not come from a request. */
export function failureOf(error: unknown): RequestFailure | undefined {
  for (let link = error; link instanceof Error; link = link.cause) {
    if (link instanceof RequestFailure) return link;
  }
  return undefined;
}

/**
 * Says whether a creation that failed may have happened. Anything that is not surely known is `ambiguous`: every answer
 * 5xx, a closed or reset connection, a timeout, a redirect, an answer that can't be read, and 409 (something is there).
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
  // A key that was used before means that the first request with it arrived.
  if (facts.problemCode?.startsWith("idempotency_") === true) return "ambiguous";
  return REFUSALS.has(facts.status) ? "refused" : "ambiguous";
}

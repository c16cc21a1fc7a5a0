import { FetchError } from "../guarded-fetch/fetch-error.ts";
import type { Fetched, GuardedFetch } from "../guarded-fetch/guarded-fetch.ts";
import type { Attempt, Delivery } from "../store/deliveries.ts";
import type { Webhook } from "../store/webhooks.ts";
import { signedHeaders } from "./sign.ts";

export const ATTEMPT_TIMEOUT_MS = 15_000;
const KEPT_ANSWER_BYTES = 2048;

export interface AttemptContext {
  readonly remote: GuardedFetch;
  readonly now: Date;
  readonly signal: AbortSignal;
}

export interface Attempted {
  readonly attempt: Attempt;
  readonly retryAfter: string | undefined;
}

/** Sends a delivery once. Never throws for what the receiver does. */
export async function attemptDelivery(
  { id, payload }: Delivery,
  webhook: Webhook,
  { remote, now, signal }: AttemptContext,
): Promise<Attempted> {
  const started = performance.now();
  const answer = await remote
    .fetch(webhook.url, {
      method: "POST",
      headers: { "content-type": "application/json", ...signedHeaders({ id, payload, at: now }, webhook) },
      body: payload,
      timeoutMs: ATTEMPT_TIMEOUT_MS,
      maxRedirects: 0,
      maxBytes: KEPT_ANSWER_BYTES,
      whenLarger: "cut",
      signal,
    })
    .catch((error: unknown) => {
      if (error instanceof FetchError) return error;
      throw error;
    });
  const timing = { at: now, ms: Math.round(performance.now() - started) };
  if (answer instanceof FetchError) {
    return { attempt: { ...timing, status: null, error: answer.message, answer: null }, retryAfter: undefined };
  }
  return {
    attempt: { ...timing, status: answer.status, error: errorOf(answer), answer: textOf(answer) },
    retryAfter: answer.headers["retry-after"],
  };
}

function errorOf({ status }: Fetched): string | null {
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400) return "The receiver redirects, which is not followed.";
  return `The receiver answered ${status}.`;
}

// Text columns of databases do not take NUL everywhere.
function textOf({ bytes }: Fetched): string {
  return new TextDecoder().decode(bytes).replaceAll("\0", "\u{FFFD}");
}

import type { CreateOptions, WriteOptions } from "./api.ts";
import type { SessionCall } from "./session.ts";
import { encodeBody } from "./transport/body.ts";
import type { EncodedBody } from "./transport/body.ts";
import { failureOf } from "./transport/outcome.ts";
import { ImprintError } from "../base/error.ts";

/** A JSON body. Fields that are `undefined` are left out. */
export function jsonBody(value: object): EncodedBody {
  return encodeBody("application/json", [Buffer.from(JSON.stringify(value))]);
}

/** What the options of a creation mean for its request. */
export function creation(options: CreateOptions = {}): SessionCall {
  const { idempotencyKey, repeat, signal } = options;
  return {
    headers: idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey },
    repeat: repeat === "always" && idempotencyKey !== undefined ? "always" : "unsent",
    signal,
  };
}

/** What the options of a change mean for its request. */
export function writing(options: WriteOptions = {}): SessionCall {
  const { ifMatch, signal } = options;
  return { headers: ifMatch === undefined ? {} : { "if-match": `"v${ifMatch}"` }, signal };
}

/** Gives `undefined` where the service answers that there is no such record. */
export async function findOrUndefined<Found>(request: Promise<Found>): Promise<Found | undefined> {
  try {
    return await request;
  } catch (error) {
    if (isAbsence(error)) return undefined;
    throw error;
  }
}

/** Whether an error says that a record does not exist, rather than that the address is wrong. */
function isAbsence(error: unknown): boolean {
  const status = failureOf(error)?.status;
  return error instanceof ImprintError && error.code === "SERVICE_REFUSED" && (status === 404 || status === 410);
}

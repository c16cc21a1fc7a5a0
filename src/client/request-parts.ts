import type { CreateOptions, WriteOptions } from "./api.ts";
import type { SessionCall } from "./session.ts";
import { encodeBody, type EncodedBody } from "./transport/body.ts";
import { failureOf } from "./transport/outcome.ts";
import { ImprintError } from "../base/error.ts";
import { sha256 } from "../base/hash.ts";

/** A JSON body. Fields that are `undefined` are left out. */
export function jsonBody(value: object): EncodedBody {
  return encodeBody("application/json", [Buffer.from(JSON.stringify(value))]);
}

/**
 * What the options of a creation mean for its request. `form` distinguishes a form of the body from the one that is tried first:
 * a service may keep the refusal of one form under its key, and must not take another form for the same request.
 */
export function creation(options: CreateOptions = {}, form = ""): SessionCall {
  const { idempotencyKey, repeat, signal } = options;
  const key = form === "" || idempotencyKey === undefined ? idempotencyKey : `${idempotencyKey}-${keyPart(form)}`;
  return {
    headers: key === undefined ? {} : { "idempotency-key": key },
    repeat: repeat === "always" && idempotencyKey !== undefined ? "always" : "unsent",
    signal,
  };
}

function keyPart(form: string): string {
  return sha256(form).slice(0, 8);
}

/** What the options of a change mean for its request. */
export function writing(options: WriteOptions = {}): SessionCall {
  const { ifMatch, signal } = options;
  return { headers: ifMatch === undefined ? {} : { "if-match": `"v${ifMatch}"` }, signal };
}

/** Marks a record that the service did not make anew, but answered with an earlier request's answer. */
export function replayed<Entry extends object>(
  record: Entry,
  { headers }: { readonly headers: ReadonlyMap<string, string> },
): Entry & { readonly replayed?: true } {
  const header = headers.get("idempotent-replayed") ?? headers.get("idempotency-replayed");
  return header?.trim().toLowerCase() === "true" ? { ...record, replayed: true } : record;
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
export function isAbsence(error: unknown): boolean {
  const status = failureOf(error)?.status;
  return error instanceof ImprintError && error.code === "SERVICE_REFUSED" && (status === 404 || status === 410);
}

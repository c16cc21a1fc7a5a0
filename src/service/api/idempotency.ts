import * as z from "zod";
import { sha256 } from "../../base/hash.ts";
import type { RequestHeaders } from "../http/messages.ts";
import { ProblemError } from "../http/problem.ts";
import {
  claimRequest,
  forgetRequest,
  storeResponse,
  releaseRequest,
  idempotencyDeadlines,
  type RequestKey,
} from "../store/requests.ts";
import type { Context } from "../resources/context.ts";
import type { Database } from "../store/tables.ts";
import type { UploadedFile } from "./call.ts";

const storedResponseSchema = z.object({
  status: z.int(),
  headers: z.record(z.string(), z.string()),
  body: z.string(),
});

/** A stored response, sent again for repeated requests. */
export type StoredResponse = Readonly<z.infer<typeof storedResponseSchema>>;

/** Stores the response of a request, in the transaction of its change. */
export type StoreResponse = (database: Database, answer: StoredResponse) => Promise<void>;

export interface KeyedRun<Result> {
  /** Hash of the content: reusing the key with other content is an error. */
  readonly fingerprint: string;
  /** Runs the request. */
  run(keep: StoreResponse): Promise<Result>;
  replay(answer: StoredResponse): Result;
}

/**
 * Runs a request once per idempotency key, and returns the stored response from then on. A response to a request that
 * changed nothing isn't stored, so the request runs again. Throws `idempotency_key_reused` if the key was used with
 * other content, and `idempotency_in_progress` while the first request is running.
 */
export async function runOnce<Result>(
  { database, now }: Pick<Context, "database" | "now">,
  key: RequestKey,
  { fingerprint, run, replay }: KeyedRun<Result>,
): Promise<Result> {
  await forgetRequest(database, key, idempotencyDeadlines(now));
  const known = await claimRequest(database, key, { fingerprint, createdAt: now });
  if (known !== undefined) {
    if (known.fingerprint !== fingerprint) throw new ProblemError("idempotency_key_reused");
    if (known.answer === null) throw new ProblemError("idempotency_in_progress", { headers: { "Retry-After": "1" } });
    return replay(storedResponseSchema.parse(JSON.parse(known.answer)));
  }
  let isKept = false;
  const keep: StoreResponse = async (transaction, answer) => {
    await storeResponse(transaction, key, { answer: JSON.stringify(answer), recordIds: namedRecords(key, answer) });
    isKept = true;
  };
  try {
    const result = await run(keep);
    if (!isKept) await releaseRequest(database, key);
    return result;
  } catch (error) {
    await releaseRequest(database, key);
    throw error;
  }
}

const ID_IN_BODY = /"([a-z]{2,6}_[0-9A-Za-z]{22})"/g;
const ID_IN_PATH = /\/([a-z]{2,6}_[0-9A-Za-z]{22})(?=\/|$)/g;

function namedRecords({ route }: RequestKey, { body }: StoredResponse): readonly string[] {
  const found = [...body.matchAll(ID_IN_BODY), ...route.matchAll(ID_IN_PATH)];
  return [...new Set(found.map(([, id = ""]) => id))];
}

/** Reads the `Idempotency-Key` header. Throws `invalid_params` if it is too long or not visible ASCII. */
export function readIdempotencyKey(headers: RequestHeaders): string | undefined {
  const key = headers.get("Idempotency-Key");
  if (key === null) return undefined;
  if (/^[\x21-\x7e]{1,255}$/.test(key)) return key;
  throw new ProblemError("invalid_params", {
    detail: "The Idempotency-Key header must be 1 to 255 visible ASCII characters.",
    errors: [{ pointer: "/headers/idempotency-key", detail: "is not valid" }],
  });
}

/** Returns a hash of a request's content, independent of how the body was encoded. */
export function fingerprintOf(body: unknown, files: readonly UploadedFile[]): string {
  return sha256(JSON.stringify([body, files.map((file) => [file.name, sha256(file.bytes)])]));
}

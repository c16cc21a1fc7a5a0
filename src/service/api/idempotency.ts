import * as z from "zod";
import { sha256 } from "../../base/hash.ts";
import type { RequestHeaders } from "../http/request.ts";
import { ProblemError } from "../http/problem.ts";
import {
  claimRequest,
  forgetRequests,
  keepAnswer,
  releaseRequest,
  idempotencyDeadlines,
  type RequestKey,
} from "../store/requests.ts";
import type { Database } from "../store/tables.ts";
import type { UploadedFile } from "./call.ts";

const keptAnswerSchema = z.object({
  status: z.int(),
  headers: z.record(z.string(), z.string()),
  body: z.string(),
});

/** An answer in the form in which it is sent, kept to be sent again. */
export type KeptAnswer = Readonly<z.infer<typeof keptAnswerSchema>>;

/** A request with an `Idempotency-Key` that runs now. */
export interface RunningRequest {
  /** Keeps the response, in the transaction of the change that it reports. */
  keep(database: Database, answer: KeptAnswer): Promise<void>;
  /** Forgets the request unless its answer is kept: then it has changed something. */
  release(): Promise<void>;
}

export type Claim =
  | { readonly kind: "run"; readonly request: RunningRequest }
  | { readonly kind: "replay"; readonly answer: KeptAnswer };

/**
 * Claims an idempotency key for a request. Throws `idempotency_key_reused` when it came with another content and
 * `idempotency_in_progress` while the first request runs.
 */
export async function claimKey(
  database: Database,
  key: RequestKey,
  { fingerprint, now }: { readonly fingerprint: string; readonly now: Date },
): Promise<Claim> {
  await forgetRequests(database, idempotencyDeadlines(now), key);
  const kept = await claimRequest(database, key, { fingerprint, createdAt: now });
  if (kept === undefined) {
    return {
      kind: "run",
      request: {
        keep: (transaction, answer) =>
          keepAnswer(transaction, key, { answer: JSON.stringify(answer), recordIds: namedRecords(key, answer) }),
        release: () => releaseRequest(database, key),
      },
    };
  }
  if (kept.fingerprint !== fingerprint) throw new ProblemError("idempotency_key_reused");
  if (kept.answer === null) throw new ProblemError("idempotency_in_progress", { headers: { "Retry-After": "1" } });
  return { kind: "replay", answer: keptAnswerSchema.parse(JSON.parse(kept.answer)) };
}

const ID_IN_BODY = /"([a-z]{2,6}_[0-9A-Za-z]{22})"/g;
const ID_IN_PATH = /\/([a-z]{2,6}_[0-9A-Za-z]{22})(?=\/|$)/g;

/** The ids that stand by themselves in an answer, and those in the path that was asked for. */
function namedRecords({ route }: RequestKey, { body }: KeptAnswer): readonly string[] {
  const found = [...body.matchAll(ID_IN_BODY), ...route.matchAll(ID_IN_PATH)];
  return [...new Set(found.map(([, id = ""]) => id))];
}

/** Reads the `Idempotency-Key` header; throws `invalid_params` for a key that is too long or not visible ASCII. */
export function readIdempotencyKey(headers: RequestHeaders): string | undefined {
  const key = headers.get("Idempotency-Key");
  if (key === null) return undefined;
  if (/^[\x21-\x7e]{1,255}$/.test(key)) return key;
  throw new ProblemError("invalid_params", {
    detail: "The header Idempotency-Key takes 1 to 255 visible ASCII characters.",
    errors: [{ pointer: "/headers/idempotency-key", detail: "is not valid" }],
  });
}

/** What distinguishes two requests, however their bodies were encoded. */
export function fingerprintOf(body: unknown, files: readonly UploadedFile[]): string {
  return sha256(JSON.stringify([body, files.map((file) => [file.name, sha256(file.bytes)])]));
}

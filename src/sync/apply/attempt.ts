import { ImprintError, messageOf } from "../../base/error.ts";
import type { ErrorCode } from "../../base/error-table.ts";
import type { Outcome } from "../apply.ts";

// After one of these every other request fails too, or must not be sent.
const FATAL: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  "ABORTED",
  "KEY_REJECTED",
  "LOGIN_EXPIRED",
  "LOGIN_LIMITED",
  "PLAN_REQUIRED",
  "SERVICE_UNREACHABLE",
  "SERVICE_WRONG_ADDRESS",
  "STATE_UNWRITABLE",
]);

/** Runs one change and says how it ended. Errors after which nothing can succeed are thrown. */
export async function attempt(
  change: Pick<Outcome, "resource" | "kind" | "name" | "reason" | "details">,
  work: () => Promise<Partial<Pick<Outcome, "url" | "bytes" | "bytesBefore">>>,
): Promise<Outcome> {
  const { resource, kind, name, reason, details } = change;
  const base = { resource, kind, name, reason, ...(details === undefined ? {} : { details }) };
  try {
    return { ...base, status: "done", ...(await work()) };
  } catch (thrown) {
    const error = asImprintError(thrown, `${resource} ${name}`);
    if (FATAL.has(error.code)) throw error;
    return { ...base, status: "failed", error };
  }
}

function asImprintError(thrown: unknown, what: string): ImprintError {
  if (thrown instanceof ImprintError) return thrown;
  return new ImprintError("SERVICE_FAILED", `${what}: ${messageOf(thrown)}`, { cause: thrown });
}

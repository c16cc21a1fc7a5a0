import { ImprintError, messageOf } from "../../base/error.ts";
import type { ErrorCode } from "../../base/error-table.ts";
import type { Outcome } from "../apply.ts";
import type { ResourceName } from "../changes.ts";
import { isAreaRefusal } from "../refusals.ts";

// After one of these every other request fails too, or must not be sent.
const FATAL: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  "ABORTED",
  "KEY_REJECTED",
  "LOGIN_EXPIRED",
  "LOGIN_LIMITED",
  "SERVICE_UNREACHABLE",
  "STATE_UNWRITABLE",
]);

// What refuses one page for its plan or its address refuses all of them.
const FATAL_FOR_PAGES: ReadonlySet<ErrorCode> = new Set<ErrorCode>(["PLAN_REQUIRED", "SERVICE_WRONG_ADDRESS"]);

// A site is live without them.
const OPTIONAL: ReadonlySet<ResourceName> = new Set<ResourceName>(["site", "brand kit"]);

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
    if (FATAL.has(error.code) || (resource === "page" && FATAL_FOR_PAGES.has(error.code))) throw error;
    if (OPTIONAL.has(resource) && isAreaRefusal(error)) {
      return { ...base, kind: "blocked", reason: error.message, counts: "never", status: "skipped" };
    }
    return { ...base, status: "failed", error };
  }
}

function asImprintError(thrown: unknown, what: string): ImprintError {
  if (thrown instanceof ImprintError) return thrown;
  return new ImprintError("SERVICE_FAILED", `${what}: ${messageOf(thrown)}`, { cause: thrown });
}

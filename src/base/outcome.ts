import { ImprintError, messageOf, type ErrorCode } from "./error.ts";

export type ResourceName = "site" | "asset" | "page" | "blog" | "post" | "brand kit" | "host";
export type ChangeKind = "create" | "update" | "keep" | "inline" | "delete" | "orphan" | "wait" | "blocked";

/**
 * Whether what is blocked counts when it is asked if the site is live as it was built. `never`: the site does without it.
 * `unless accepted`: this host can't do it, which somebody may accept once. Absent: it counts.
 */
export type Counts = "never" | "unless accepted";

/** What came of one change. */
export interface Outcome {
  readonly resource: ResourceName;
  readonly kind: ChangeKind;
  readonly name: string;
  readonly reason: string;
  readonly status: "done" | "failed" | "skipped";
  /** Where a person can look at it. */
  readonly url?: string;
  readonly error?: ImprintError;
  readonly hint?: string | undefined;
  readonly counts?: Counts;
  /** What is different, a line each. */
  readonly details?: readonly string[];
  /** Bytes that were sent. */
  readonly bytes?: number;
  /** Bytes before optimizing, for images. */
  readonly bytesBefore?: number;
}

/** Whether something was made or changed at the service. */
export function isWritten({ kind, status }: Pick<Outcome, "kind" | "status">): boolean {
  return status === "done" && (kind === "create" || kind === "update");
}

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
  work: () => Promise<Partial<Omit<Outcome, "resource" | "name">>>,
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

const REFUSALS: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  "AREA_REFUSED",
  "NOT_SUPPORTED",
  "PLAN_REQUIRED",
  "SERVICE_REFUSED",
  "SERVICE_WRONG_ADDRESS",
]);

/** Whether an error says that the service does not have an area, or does not take from this key what was sent. */
export function isAreaRefusal(error: unknown): error is ImprintError {
  return error instanceof ImprintError && REFUSALS.has(error.code);
}

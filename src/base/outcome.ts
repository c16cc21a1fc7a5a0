import { ImprintError, messageOf, type ErrorCode } from "./error.ts";

export type ResourceName = "site" | "asset" | "page" | "blog" | "post" | "brand kit" | "host";
export type ChangeKind = "create" | "update" | "keep" | "inline" | "delete" | "orphan" | "wait" | "blocked";

/**
 * Whether a blocked change makes the site count as not live as built. `never`: the site works without it. `unless
 * accepted`: this host can't do it, which a user may accept once. Absent: it counts.
 */
export type Counts = "never" | "unless accepted";

export interface Outcome {
  readonly resource: ResourceName;
  readonly kind: ChangeKind;
  readonly name: string;
  readonly reason: string;
  readonly status: "done" | "failed" | "skipped";
  /** Address for viewing it. */
  readonly url?: string;
  readonly error?: ImprintError;
  readonly hint?: string | undefined;
  readonly counts?: Counts;
  /** What is accepted one by one, such as the attributes that a host removes. Default: the outcome as a whole. */
  readonly parts?: readonly string[] | undefined;
  /** Set if what is blocked is deleting a page that isn't part of the site. */
  readonly isLeftover?: true;
  /** The differences, one per line. */
  readonly details?: readonly string[];
  readonly bytes?: number;
  /** Bytes before optimizing, for images. */
  readonly bytesBefore?: number;
}

/** Whether something was created or updated on the service. */
export function isWritten({ kind, status }: Pick<Outcome, "kind" | "status">): boolean {
  return status === "done" && (kind === "create" || kind === "update");
}

/** Names of the pages that were created or updated. */
export function writtenPages(outcomes: readonly Outcome[]): readonly string[] {
  return outcomes.filter((each) => each.resource === "page" && isWritten(each)).map(({ name }) => name);
}

// After one of these errors, all other requests would fail too, or must not be sent.
const FATAL: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  "ABORTED",
  "KEY_LIMITED",
  "KEY_REJECTED",
  "LOGIN_EXPIRED",
  "LOGIN_LIMITED",
  "SERVICE_DOWN",
  "SERVICE_UNREACHABLE",
  "STATE_UNWRITABLE",
]);

// A service that rejects one page because of the plan or the address rejects all of them.
const FATAL_FOR_PAGES: ReadonlySet<ErrorCode> = new Set<ErrorCode>(["PLAN_REQUIRED", "SERVICE_WRONG_ADDRESS"]);

// A site can be live without these.
const OPTIONAL: ReadonlySet<ResourceName> = new Set<ResourceName>(["site", "brand kit"]);

/** Applies one change and returns its outcome. Throws errors after which nothing can succeed. */
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

/** Whether an error means that the service lacks an area, or that it doesn't accept the request from this key. */
export function isAreaRefusal(error: unknown): error is ImprintError {
  return error instanceof ImprintError && REFUSALS.has(error.code);
}

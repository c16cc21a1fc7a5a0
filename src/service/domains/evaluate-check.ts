import type { Domain } from "../store/domains.ts";
import type { DnsFinding } from "./dns-lookup.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

// How often a domain is checked during setup, after its first check.
const SETUP_STEPS: readonly { readonly times: number; readonly delayMs: number }[] = [
  { times: 10, delayMs: MINUTE_MS },
  { times: 12, delayMs: 10 * MINUTE_MS },
  { times: 72, delayMs: HOUR_MS },
];
// How long a domain is still served after its TXT record disappears.
const GRACE_MS = 3 * DAY_MS;

type CheckedFields = Pick<
  Domain,
  "status" | "error" | "attempts" | "heldAt" | "missingSince" | "lastCheckedAt" | "nextCheckAt"
>;

export interface CheckCircumstances {
  readonly now: Date;
  /** Another account has proven control of this domain. */
  readonly isHeldByOther: boolean;
}

/**
 * Computes the state of a domain after a check.
 *
 * A domain in setup is checked for three days and then `failed`. A held one is checked daily: if its TXT record is
 * missing, that is reported and the domain is served for three more days, so that a slip at the DNS provider takes no
 * site down; then it fails. Where the domain points only decides between `active` and `verified`, since a domain behind
 * another proxy never seems to point here. An inconclusive lookup doesn't change the state.
 */
export function evaluateCheck(domain: Domain, finding: DnsFinding, circumstances: CheckCircumstances): CheckedFields {
  const { now, isHeldByOther } = circumstances;
  const { status, attempts, heldAt, missingSince } = domain;
  const checked = {
    status,
    attempts,
    heldAt,
    missingSince,
    lastCheckedAt: now,
    error: explain(finding, isHeldByOther),
  };
  const after = (delayMs: number) => new Date(now.getTime() + delayMs);
  if (finding.control === "proven" && !isHeldByOther) {
    const held = { ...checked, status: heldStatus(domain, finding), heldAt: heldAt ?? now, missingSince: null };
    if (held.status === "active") return { ...held, attempts: 0, nextCheckAt: after(DAY_MS) };
    return { ...held, attempts: attempts + 1, nextCheckAt: after(setupDelay(attempts + 1) ?? DAY_MS) };
  }
  if (heldAt === null) {
    const delayMs = setupDelay(attempts + 1);
    const next = { ...checked, attempts: attempts + 1 };
    if (delayMs === undefined) return { ...next, status: "failed", nextCheckAt: null };
    return { ...next, status: "pending", nextCheckAt: after(delayMs) };
  }
  if (finding.control === "unknown") return { ...checked, nextCheckAt: after(HOUR_MS) };
  const since = missingSince ?? now;
  if (now.getTime() - since.getTime() < GRACE_MS)
    return { ...checked, missingSince: since, nextCheckAt: after(HOUR_MS) };
  return { ...checked, status: "failed", attempts: 0, heldAt: null, missingSince: null, nextCheckAt: null };
}

function heldStatus({ status }: Domain, { routing }: DnsFinding): "active" | "verified" {
  if (routing.kind === "unknown" && status === "active") return "active";
  return routing.kind === "here" ? "active" : "verified";
}

/** Returns the delay after this many checks; `undefined` after the last one. */
function setupDelay(checks: number): number | undefined {
  let rest = checks;
  for (const { times, delayMs } of SETUP_STEPS) {
    if (rest <= times) return delayMs;
    rest -= times;
  }
  return undefined;
}

function explain({ control, routing }: DnsFinding, isHeldByOther: boolean): string | null {
  if (isHeldByOther) return "Another account of this service has verified this domain.";
  if (control === "unknown") return "No DNS server responded to the query for the TXT record.";
  if (control === "missing") return "The TXT record is missing or has another value.";
  switch (routing.kind) {
    case "here":
      return null;
    case "missing":
      return "The domain has neither a CNAME record nor an address.";
    case "unknown":
      return "No DNS server responded to the query for the domain's address.";
    case "elsewhere":
      return `The domain points to ${routing.addresses.slice(0, 4).join(", ")}, not only to this service.`;
  }
}

import type { Domain } from "../store/domains.ts";
import type { DnsFinding } from "./dns-lookup.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

// How often a domain is looked at after its first check, while its owner sets it up.
const SETUP_STEPS: readonly { readonly times: number; readonly delayMs: number }[] = [
  { times: 10, delayMs: MINUTE_MS },
  { times: 12, delayMs: 10 * MINUTE_MS },
  { times: 72, delayMs: HOUR_MS },
];
// How long a domain without its proof goes on being served.
const GRACE_MS = 3 * DAY_MS;

/** What a check changes. */
type CheckedFields = Pick<
  Domain,
  "status" | "error" | "attempts" | "heldAt" | "missingSince" | "lastCheckedAt" | "nextCheckAt"
>;

export interface CheckCircumstances {
  readonly now: Date;
  /** Another account has proven that it holds this domain. */
  readonly isHeldByOther: boolean;
}

/**
 * What a check makes of a domain.
 *
 * A domain that is being set up is looked at for three days and then `failed`. One that is held is looked at daily:
 * when its proof is gone, that is reported and it goes on being served for three days, so that a slip at the DNS host
 * takes no site down, and then fails. Where it leads decides between `active` and `verified` and nothing more, since a
 * domain behind another proxy never seems to lead here. What nobody could find out takes nothing away.
 */
export function judgeCheck(domain: Domain, finding: DnsFinding, circumstances: CheckCircumstances): CheckedFields {
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

/** How long to wait after so many checks; `undefined` when that was the last one. */
function setupDelay(checks: number): number | undefined {
  let rest = checks;
  for (const { times, delayMs } of SETUP_STEPS) {
    if (rest <= times) return delayMs;
    rest -= times;
  }
  return undefined;
}

function explain({ control, routing }: DnsFinding, isHeldByOther: boolean): string | null {
  if (isHeldByOther) return "Another account of this service has proven that it holds the domain.";
  if (control === "unknown") return "No DNS server answered when the TXT record was asked for.";
  if (control === "missing") return "The TXT record is not there, or has another value.";
  switch (routing.kind) {
    case "here":
      return null;
    case "missing":
      return "The domain leads nowhere: it has neither a CNAME nor an address.";
    case "unknown":
      return "No DNS server answered when it was asked where the domain leads.";
    case "elsewhere":
      return `The domain leads to ${routing.addresses.slice(0, 4).join(", ")}, which is not this service alone.`;
  }
}

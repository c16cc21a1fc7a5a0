import { randomUUID } from "node:crypto";
import { createQueue, type Queue, type QueueOptions } from "../jobs/queue.ts";
import { createRateLimiter } from "../http/rate-limiter.ts";
import { claimDomain, findHeldDomain, type Domain } from "../store/domains.ts";
import { claimDue, endClaim, type Lease } from "../store/rows.ts";
import type { Database } from "../store/tables.ts";
import { writeTransaction } from "../store/transactions.ts";
import type { DnsLookup } from "./dns-lookup.ts";
import { evaluateCheck } from "./evaluate-check.ts";

/** Checks whether custom domains are verified and point here. Its results are the checked domains. */
export interface DomainChecks extends Queue<Domain> {
  /**
   * Checks a domain now and returns it; `undefined` if it was removed. A failed domain starts over. Slow: never call it
   * inside a transaction. Throws `rate_limited`.
   */
  check(id: string): Promise<Domain | undefined>;
}

export interface DomainCheckOptions extends QueueOptions {
  readonly database: Database;
  readonly dns: DnsLookup;
}

// Longer than a check can take.
const LEASE_MS = 60_000;
const ASKED_PER_MINUTE = 10;

export function createDomainChecks(options: DomainCheckOptions): DomainChecks {
  const { database, now } = options;
  const limiter = createRateLimiter({ perKey: ASKED_PER_MINUTE, perAddress: 0, windowSeconds: 60 });
  const queue = createQueue<Domain>(
    {
      name: "Checking custom domains",
      pollMs: 15_000,
      leaseMs: LEASE_MS,
      perGroup: 8,
      async runNext({ now: time, lease }) {
        const domain = await claimDue(database, "domain", { now: time, lease });
        return domain && ((await checkClaimed(options, domain, lease)) ?? domain);
      },
    },
    options,
  );
  return {
    ...queue,
    async check(id) {
      limiter.count({ kind: "key", id }, now());
      const lease = { token: randomUUID(), until: new Date(now().getTime() + LEASE_MS) };
      const claimed = await claimDomain(database, id, lease);
      if (claimed === undefined) return undefined;
      const domain = claimed.status === "failed" ? { ...claimed, attempts: 0 } : claimed;
      return await checkClaimed(options, domain, lease);
    },
  };
}

/** Records the result of a DNS lookup. Returns `undefined` if the domain was removed or the claim was taken over. */
async function checkClaimed(
  { database, dns, logger, now }: DomainCheckOptions,
  domain: Domain,
  { token }: Lease,
): Promise<Domain | undefined> {
  const finding = await dns.look(domain);
  return await writeTransaction(database, async (transaction) => {
    const holder = await findHeldDomain(transaction, domain.name);
    const isHeldByOther = holder !== undefined && holder.id !== domain.id;
    const checked = evaluateCheck(domain, finding, { now: now(), isHeldByOther });
    if (domain.status !== "failed" && checked.status === "failed") {
      logger.warn(`The domain ${domain.name} failed: ${checked.error ?? ""}`);
    }
    return await endClaim(transaction, "domain", { claim: { id: domain.id, token }, set: checked });
  });
}

import type { Logger } from "../../base/log.ts";
import { findHeldDomain, finishCheck, type Domain } from "../store/domains.ts";
import type { Database } from "../store/tables.ts";
import { writeTransaction } from "../store/write-transaction.ts";
import type { DnsFinding, DnsLookup } from "./dns-lookup.ts";
import { judgeCheck } from "./judge-check.ts";

export interface CheckOptions {
  readonly database: Database;
  readonly dns: DnsLookup;
  readonly logger: Logger;
  readonly now: () => Date;
}

export interface ClaimedDomain {
  readonly domain: Domain;
  /** Of the claim. */
  readonly token: string;
}

/**
 * Looks at a domain and writes what became of it; `undefined` when it is gone or somebody else has taken over the
 * claim.
 */
export async function checkClaimed(options: CheckOptions, claimed: ClaimedDomain): Promise<Domain | undefined> {
  const finding = await options.dns.look(claimed.domain);
  return await settle(options, claimed, finding);
}

async function settle(
  { database, logger, now }: CheckOptions,
  { domain, token }: ClaimedDomain,
  finding: DnsFinding,
): Promise<Domain | undefined> {
  return await writeTransaction(database, async (transaction) => {
    const holder = await findHeldDomain(transaction, domain.name);
    const isHeldByOther = holder !== undefined && holder.id !== domain.id;
    const checked = judgeCheck(domain, finding, { now: now(), isHeldByOther });
    if (domain.status !== "failed" && checked.status === "failed") {
      logger.warn(`The domain ${domain.name} is given up: ${checked.error ?? ""}`);
    }
    return await finishCheck(transaction, { id: domain.id, token }, checked);
  });
}

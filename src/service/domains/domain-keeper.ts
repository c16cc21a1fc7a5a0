import { randomUUID } from "node:crypto";
import { messageOf } from "../../base/error.ts";
import { createRateLimiter } from "../rate-limiter.ts";
import { claimDomain, claimDueDomain, type Domain } from "../store/domains.ts";
import { checkClaimed, type CheckOptions } from "./check-claimed.ts";

/** Looks after custom domains: whether they are held and lead here. */
export interface DomainKeeper {
  /** Says that a domain may be due for a check. */
  wake(): void;
  /**
   * Checks a domain now and gives what became of it; `undefined` when it is gone. One that was given up is tried from
   * the start. Slow: never inside a transaction. Throws `rate_limited`.
   */
  check(id: string): Promise<Domain | undefined>;
  /** Checks everything that is due now; gives how many were checked. */
  checkDue(): Promise<number>;
  /** Lets running checks end and starts none any more. */
  close(): Promise<void>;
}

export interface DomainKeeperOptions extends CheckOptions {
  /** `false`: only `check` and `checkDue` check. */
  readonly isBackground: boolean;
}

const POLL_MS = 15_000;
// Longer than a check can take, so that a lease that is over means a process that died.
const LEASE_MS = 60_000;
const AT_ONCE = 8;
const ASKED_PER_MINUTE = 10;

/** Makes the keeper. Several of them, in one process or in many, can work on one database. */
export function createDomainKeeper(options: DomainKeeperOptions): DomainKeeper {
  const { database, logger, now, isBackground } = options;
  const limiter = createRateLimiter({ perKey: ASKED_PER_MINUTE, perAddress: 0, windowSeconds: 60 });
  let isClosed = false;
  let isWoken = false;
  let polls = Promise.resolve();

  async function checkNext(): Promise<boolean> {
    const lease = createLease(now());
    const domain = await claimDueDomain(database, { now: now(), lease });
    if (domain !== undefined) await checkClaimed(options, { domain, token: lease.token });
    return domain !== undefined;
  }

  async function checkDue(): Promise<number> {
    let total = 0;
    async function checkUntilNoneIsDue(): Promise<void> {
      while (!isClosed && (await checkNext())) total++;
    }
    await Promise.all(Array.from({ length: AT_ONCE }, checkUntilNoneIsDue));
    return total;
  }

  async function poll(): Promise<void> {
    isWoken = false;
    try {
      await checkDue();
    } catch (error) {
      // What was claimed comes again when its lease is over.
      logger.error(`Custom domains could not be checked: ${messageOf(error)}`);
    }
  }

  function wake(): void {
    if (!isBackground || isWoken || isClosed) return;
    isWoken = true;
    polls = polls.then(poll);
  }

  const timer = isBackground ? setInterval(wake, POLL_MS).unref() : undefined;

  return {
    wake,
    checkDue,
    async check(id) {
      limiter.count({ kind: "key", id }, now());
      const lease = createLease(now());
      const claimed = await claimDomain(database, id, lease);
      if (claimed === undefined) return undefined;
      const domain = claimed.status === "failed" ? { ...claimed, attempts: 0 } : claimed;
      return await checkClaimed(options, { domain, token: lease.token });
    },
    async close() {
      isClosed = true;
      clearInterval(timer);
      await polls;
    },
  };
}

function createLease(now: Date) {
  return { token: randomUUID(), until: new Date(now.getTime() + LEASE_MS) };
}

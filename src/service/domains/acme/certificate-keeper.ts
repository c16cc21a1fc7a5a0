import { randomUUID } from "node:crypto";
import { messageOf } from "../../../base/error.ts";
import type { Logger } from "../../../base/log.ts";
import { claimDueOrder, noteFailedOrder, saveCertificate, type ClaimedOrder } from "../../store/certificates.ts";
import { orderCertificate, type OrderOptions } from "./order-certificate.ts";

/** Gets and renews the certificates of domains that lead here. */
export interface CertificateKeeper {
  /** Orders everything that is due now, one after the other; gives how many certificates came of it. */
  orderDue(): Promise<number>;
  /** Starts no order any more and waits a moment for the one that runs. */
  close(): Promise<void>;
}

export interface CertificateKeeperOptions extends OrderOptions {
  readonly logger: Logger;
  /** `false`: only `orderDue` orders. */
  readonly isBackground: boolean;
}

const POLL_MS = 15_000;
const MINUTE_MS = 60_000;
// Longer than an order can take, so that a lease that is over means a process that died.
const LEASE_MS = 10 * MINUTE_MS;
const CLOSE_GRACE_MS = 2_000;
const MAX_REASON = 300;
// Authorities refuse those who fail often: Let's Encrypt after five times an hour.
const RETRY_DELAYS_MS = [15, 60, 4 * 60, 12 * 60].map((minutes) => minutes * MINUTE_MS);
const LAST_DELAY_MS = 24 * 60 * MINUTE_MS;

/** Makes the keeper. Of several on one database only one orders a certificate. */
export function createCertificateKeeper(options: CertificateKeeperOptions): CertificateKeeper {
  const { database, logger, now, isBackground } = options;
  let isClosed = false;
  let running: Promise<number> | undefined;

  async function orderNext(): Promise<"issued" | "failed" | "none"> {
    const lease = { token: randomUUID(), until: new Date(now().getTime() + LEASE_MS) };
    const order = await claimDueOrder(database, { now: now(), lease });
    if (order === undefined) return "none";
    const claim = { id: order.domainId, token: lease.token };
    try {
      await saveCertificate(database, claim, await orderCertificate(order, options));
      logger.info(`There is a new certificate for ${order.name}.`);
      return "issued";
    } catch (error) {
      if (isClosed) return "failed";
      const reason = messageOf(error).slice(0, MAX_REASON);
      logger.error(`The order of a certificate for ${order.name} failed: ${reason}`);
      await noteFailedOrder(database, claim, { error: explain(reason), nextOrderAt: retryAt(order) });
      return "failed";
    }
  }

  function retryAt({ attempts }: ClaimedOrder): Date {
    return new Date(now().getTime() + (RETRY_DELAYS_MS[attempts] ?? LAST_DELAY_MS));
  }

  async function orderDue(): Promise<number> {
    let issued = 0;
    for (let last = ""; last !== "none" && !isClosed;) {
      last = await orderNext();
      if (last === "issued") issued++;
    }
    return issued;
  }

  function poll(): void {
    if (isClosed || running !== undefined) return;
    const run = orderDue().catch((error: unknown) => {
      if (!isClosed) logger.error(`Certificates could not be looked after: ${messageOf(error)}`);
      return 0;
    });
    running = run;
    void run.then(() => (running = undefined));
  }

  const timer = isBackground ? setInterval(poll, POLL_MS).unref() : undefined;

  return {
    orderDue,
    async close() {
      isClosed = true;
      clearInterval(timer);
      // An authority may take minutes. What was claimed comes again when its lease is over.
      const grace = new Promise((resolve) => setTimeout(resolve, CLOSE_GRACE_MS).unref());
      await Promise.race([running, running && grace]);
    },
  };
}

function explain(reason: string): string {
  return `No certificate could be got: ${reason}`;
}

import { X509Certificate } from "node:crypto";
import { createSecureContext, type SecureContext } from "node:tls";
import { LRUCache } from "lru-cache";
import { ImprintError, messageOf, systemCodeOf } from "../../base/error.ts";
import { createQueue, type Queue, type QueueOptions } from "../jobs/queue.ts";
import {
  claimDueOrder,
  findCertificateFiles,
  type IssuedCertificate,
  recordFailedOrder,
  saveCertificate,
  saveChallenge,
} from "../store/domains.ts";
import { deleteRows, findRow, insertNewRows } from "../store/rows.ts";
import type { Database } from "../store/tables.ts";
import type { AcmeSettings } from "./domain-options.ts";

export interface CertificateOptions extends QueueOptions {
  readonly database: Database;
  readonly acme: AcmeSettings;
}

const MINUTE_MS = 60_000;
const MAX_REASON = 300;
// Certificate authorities limit failures: Let's Encrypt to five per hour.
const RETRY_DELAYS_MS = [15, 60, 4 * 60, 12 * 60].map((minutes) => minutes * MINUTE_MS);
const LAST_DELAY_MS = 24 * 60 * MINUTE_MS;

/**
 * Obtains and renews the certificates of domains that point here, one at a time. Throws `OPTIONS_INVALID` if the
 * optional ACME package isn't installed.
 */
export async function createCertificateQueue(options: CertificateOptions): Promise<Queue<"issued" | "failed">> {
  const { database, logger, now } = options;
  const library = await loadAcmeClient();
  return createQueue(
    {
      name: "Ordering certificates",
      pollMs: 15_000,
      leaseMs: 10 * MINUTE_MS,
      // A certificate authority may take minutes.
      graceMs: 2_000,
      async runNext({ now: time, lease, closing }) {
        const order = await claimDueOrder(database, { now: time, lease });
        if (order === undefined) return undefined;
        const claim = { id: order.domainId, token: lease.token };
        try {
          await saveCertificate(database, claim, await orderCertificate(library, order, options));
          logger.info(`Obtained a new certificate for ${order.name}.`);
          return "issued";
        } catch (error) {
          if (closing.aborted) return "failed";
          const reason = messageOf(error).slice(0, MAX_REASON);
          logger.error(`The certificate order for ${order.name} failed: ${reason}`);
          await recordFailedOrder(database, claim, {
            error: `No certificate could be obtained: ${reason}`,
            nextOrderAt: new Date(now().getTime() + (RETRY_DELAYS_MS[order.attempts] ?? LAST_DELAY_MS)),
          });
          return "failed";
        }
      },
    },
    options,
  );
}

type AcmeLibrary = Pick<typeof import("acme-client"), "Client" | "crypto">;

async function loadAcmeClient(): Promise<AcmeLibrary> {
  try {
    return await import("acme-client");
  } catch (error) {
    if (systemCodeOf(error) !== "ERR_MODULE_NOT_FOUND") throw error;
    throw new ImprintError("OPTIONS_INVALID", "`acme` requires the package acme-client, which isn't installed.", {
      cause: error,
      hint: "Run `npm install acme-client`, or remove `acme`.",
    });
  }
}

/**
 * Orders a certificate for a domain. The authority requests a challenge response from the pages host, which any process
 * on this database can serve. Throws errors of the authority and the network.
 */
async function orderCertificate(
  { Client, crypto }: AcmeLibrary,
  { domainId, name }: { readonly domainId: string; readonly name: string },
  { database, acme, now }: CertificateOptions,
): Promise<IssuedCertificate> {
  const { email, directoryUrl } = acme;
  const accountKey = await ensureAccountKey();
  const [key, csr] = await crypto.createCsr(
    { commonName: name, altNames: [name] },
    await crypto.createPrivateEcdsaKey("P-256"),
  );
  const chain = await new Client({ directoryUrl, accountKey }).auto({
    csr,
    email,
    termsOfServiceAgreed: acme.agree,
    challengePriority: ["http-01"],
    // The service may be unable to reach itself by its public name.
    skipChallengeVerification: true,
    challengeCreateFn: (_, { token }, answer) => saveChallenge(database, { domainId, token, answer }),
    challengeRemoveFn: (_, { token }) => deleteRows(database, "acmeChallenge", { token }),
  });
  return { privateKey: key.toString("utf8"), chain, ...describe(chain, now()) };

  async function ensureAccountKey(): Promise<string> {
    const known = await findRow(database, "acmeAccount", { directory: directoryUrl });
    if (known !== undefined) return known.privateKey;
    const privateKey = (await crypto.createPrivateEcdsaKey("P-256")).toString("utf8");
    await insertNewRows(database, "acmeAccount", [{ directory: directoryUrl, privateKey, createdAt: now() }]);
    // Another process may have saved one meanwhile.
    return (await findRow(database, "acmeAccount", { directory: directoryUrl }))?.privateKey ?? privateKey;
  }
}

// The usual renewal time, which leaves a third of a certificate's lifetime for retries.
const SHARE_OF_LIFE = 2 / 3;
// Prevents a loop of orders if the authority's clock is wrong.
const SOONEST_MS = 60 * MINUTE_MS;

function describe(chain: string, now: Date): Omit<IssuedCertificate, "privateKey" | "chain"> {
  const certificate = new X509Certificate(chain);
  const [issuedAt, expiresAt] = [new Date(certificate.validFrom), new Date(certificate.validTo)];
  const renewAt = issuedAt.getTime() + (expiresAt.getTime() - issuedAt.getTime()) * SHARE_OF_LIFE;
  const issuer = /^O=(.+)$/m.exec(certificate.issuer)?.[1] ?? /^CN=(.+)$/m.exec(certificate.issuer)?.[1];
  const nextOrderAt = new Date(Math.max(renewAt, now.getTime() + SOONEST_MS));
  return { issuer: issuer ?? "unknown", issuedAt, expiresAt, nextOrderAt };
}

/** Finds the TLS context for a server name; `undefined` if there is no certificate. */
export type FindContext = (servername: string) => Promise<SecureContext | undefined>;

const MAX_CONTEXTS = 1_000;

/**
 * Reads the certificate from the database for each connection, since another process may have renewed it or its owner
 * may have removed the domain. Only the expensive TLS context is cached.
 */
export function createContextFinder(database: Database): FindContext {
  const contexts = new LRUCache<string, SecureContext>({ max: MAX_CONTEXTS });
  return async (servername) => {
    const files = await findCertificateFiles(database, servername.toLowerCase());
    if (files === undefined) return undefined;
    const context = contexts.get(files.chain) ?? createSecureContext({ key: files.privateKey, cert: files.chain });
    contexts.set(files.chain, context);
    return context;
  };
}

import type { Settings } from "../host/options.ts";
import type { Addresses } from "../resources/addresses.ts";
import type { DomainTarget } from "../resources/domain-name.ts";
import type { Database } from "../store/tables.ts";
import { createCertificateQueue } from "./certificates.ts";
import { createDnsLookup } from "./dns-lookup.ts";
import { createDomainChecks, type DomainChecks } from "./domain-checks.ts";

/** Background work for custom domains. */
export interface Domains extends Pick<DomainChecks, "wake" | "check" | "close"> {
  /** Where domains must point. */
  readonly target: DomainTarget;
  /** Whether the service obtains certificates for them. */
  readonly hasCertificates: boolean;
  /** Checks due domains and orders due certificates. Returns the number of checked domains. */
  checkDue(): Promise<number>;
}

export interface DomainsOptions {
  readonly settings: Settings;
  readonly addresses: Addresses;
  readonly database: Database;
  readonly now: () => Date;
}

/** Throws `OPTIONS_INVALID` if `acme` is set and its package isn't installed. */
export async function createDomains({ settings, addresses, database, now }: DomainsOptions): Promise<Domains> {
  const { acme, logger, background: isBackground } = settings;
  const host = new URL(addresses.pagesUrl).hostname.replace(/^\[|\]$/g, "");
  const target: DomainTarget = { host, addresses: settings.domains.addresses };
  const dns = createDnsLookup({ servers: settings.domains.dnsServers, target });
  const shared = { database, logger, now, isBackground };
  const certificates = acme && (await createCertificateQueue({ ...shared, acme }));
  const { wake, check, runDue, close } = createDomainChecks({ ...shared, dns });
  return {
    wake,
    check,
    target,
    hasCertificates: certificates !== undefined,
    async checkDue() {
      const checked = await runDue();
      await certificates?.runDue();
      return checked.length;
    },
    async close() {
      await Promise.all([close(), certificates?.close()]);
    },
  };
}

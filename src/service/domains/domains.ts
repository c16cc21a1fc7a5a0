import type { Settings } from "../options.ts";
import type { Addresses } from "../resources/addresses.ts";
import type { Database } from "../store/tables.ts";
import type { CertificateKeeper } from "./acme/certificate-keeper.ts";
import { createDnsLookup } from "./dns-lookup.ts";
import type { DomainTarget } from "./dns-records.ts";
import { createDomainKeeper, type DomainKeeper } from "./domain-keeper.ts";

/** All that works for custom domains beside requests. */
export interface Domains extends DomainKeeper {
  /** Where domains have to lead. */
  readonly target: DomainTarget;
  /** The service gets certificates for them. */
  readonly hasCertificates: boolean;
}

export interface DomainsOptions {
  readonly settings: Settings;
  readonly addresses: Addresses;
  readonly database: Database;
  readonly now: () => Date;
}

/** Throws `OPTIONS_INVALID` when certificates are wanted and the package for them is not installed. */
export async function createDomains(options: DomainsOptions): Promise<Domains> {
  const { settings, addresses, database, now } = options;
  const host = new URL(addresses.pagesUrl).hostname.replace(/^\[|\]$/g, "");
  const target: DomainTarget = { host, addresses: settings.domains.addresses };
  const dns = createDnsLookup({ servers: settings.domains.dnsServers, target });
  const { logger, background: isBackground } = settings;
  const certificates = await openCertificates(options);
  const keeper = createDomainKeeper({ database, dns, logger, now, isBackground });
  return {
    ...keeper,
    target,
    hasCertificates: certificates !== undefined,
    async checkDue() {
      const checked = await keeper.checkDue();
      await certificates?.orderDue();
      return checked;
    },
    async close() {
      await Promise.all([keeper.close(), certificates?.close()]);
    },
  };
}

async function openCertificates({ settings, database, now }: DomainsOptions): Promise<CertificateKeeper | undefined> {
  const { acme, logger, background: isBackground } = settings;
  if (acme === undefined) return undefined;
  const [{ createCertificateKeeper }, { loadAcmeClient }] = await Promise.all([
    import("./acme/certificate-keeper.ts"),
    import("./acme/load-acme-client.ts"),
  ]);
  return createCertificateKeeper({ library: await loadAcmeClient(), database, acme, logger, now, isBackground });
}

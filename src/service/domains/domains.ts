import type { Settings } from "../options.ts";
import type { Addresses } from "../resources/addresses.ts";
import type { Database } from "../store/tables.ts";
import { createDnsLookup } from "./dns-lookup.ts";
import type { DomainTarget } from "./dns-records.ts";
import { createDomainKeeper } from "./domain-keeper.ts";
import type { DomainKeeper } from "./domain-keeper.ts";

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

export function createDomains({ settings, addresses, database, now }: DomainsOptions): Domains {
  const host = new URL(addresses.pagesUrl).hostname.replace(/^\[|\]$/g, "");
  const target: DomainTarget = { host, addresses: settings.domains.addresses };
  const dns = createDnsLookup({ servers: settings.domains.dnsServers, target });
  const { logger, background: isBackground } = settings;
  return {
    ...createDomainKeeper({ database, dns, logger, now, isBackground }),
    target,
    hasCertificates: settings.acme !== undefined,
  };
}

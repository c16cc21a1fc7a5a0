import type { CallOptions, CreateOptions, Listing } from "./api.ts";

// The specification shows no field of a domain, so that everything but its name may be missing.

/** A record to set at the DNS host. */
export interface DnsRecord {
  /** `TXT`, `CNAME`, `A`, `AAAA` or `ALIAS`. */
  readonly type: string;
  readonly name: string;
  readonly value: string;
}

export interface CustomDomain {
  readonly domain: string;
  readonly id?: string;
  /** Our own service says `pending`, `verified` (proven, but leads elsewhere), `active` or `failed`. */
  readonly status?: string;
  /** The record that proves who holds the domain. */
  readonly verification?: DnsRecord;
  /** The records that lead the domain to the service. */
  readonly dns: readonly DnsRecord[];
  readonly ssl?: { readonly status?: string; readonly issuer?: string; readonly expiresAt?: Date };
  readonly siteId?: string;
  /** The domain to which visitors are sent on. */
  readonly redirectTo?: string;
  readonly createdAt?: Date;
  readonly lastCheckedAt?: Date;
  /** When the service looks again by itself. */
  readonly nextCheckAt?: Date;
  /** What the last check missed. */
  readonly error?: string;
}

/** `null` takes a field away. */
export interface DomainChange {
  readonly siteId?: string | null;
  readonly redirectTo?: string | null;
}

export interface DomainsApi {
  list(options?: CallOptions): Promise<Listing<CustomDomain>>;
  /** Adds a domain. One that the account has already is given as it is. */
  create(domain: { readonly domain: string; readonly siteId?: string }, options?: CreateOptions): Promise<CustomDomain>;
  /** Route set A only. */
  update(domain: string, change: DomainChange, options?: CallOptions): Promise<CustomDomain>;
  /** Route set A only. Lets the service look at the domain's DNS records now. */
  check(domain: string, options?: CallOptions): Promise<CustomDomain>;
  /** Removes a domain; one that is gone already is no error. Route set A knows it by its name, B by its id. */
  delete(domain: Pick<CustomDomain, "domain" | "id">, options?: CallOptions): Promise<void>;
}

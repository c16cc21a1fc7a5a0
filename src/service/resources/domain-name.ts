import { isIP } from "node:net";
import { domainToASCII } from "node:url";

/** Result of parsing a domain name. */
export type NamedDomain = { readonly name: string } | { readonly problem: string };

// Leaves room for `_imprint.` within DNS's limit of 253 characters.
const MAX_LENGTH = 253 - "_imprint.".length;
const LABEL = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/;
// Names that don't exist in public DNS.
const PRIVATE_ENDINGS = new Set(["localhost", "local", "internal", "invalid", "onion", "arpa", "alt"]);

/**
 * Normalizes a domain: lowercase, punycode, no trailing dot. Rejects anything that can't be registered (an IP address,
 * a port, a single label, a public suffix such as `co.uk` or `github.io`, one of the service's own hosts or its
 * subdomains) with a reason that completes the sentence.
 */
export async function parseDomainName(
  text: string,
  { ownHosts }: { readonly ownHosts: readonly string[] },
): Promise<NamedDomain> {
  const written = text.trim().replace(/\.$/, "");
  if (/[:/@?#\\]/.test(written)) return { problem: "is not only a domain: remove scheme, port and path" };
  const name = domainToASCII(written).toLowerCase();
  const labels = name.split(".");
  const ending = labels.at(-1) ?? "";
  // The conversion normalizes every notation of an IPv4 address.
  if (isIP(written) !== 0 || isIP(name) !== 0 || /^\d+$/.test(ending)) return { problem: "is an IP address" };
  if (!labels.every((label) => LABEL.test(label))) return { problem: "is not a valid domain" };
  if (name.length > MAX_LENGTH) return { problem: "is too long" };
  if (labels.length < 2 || PRIVATE_ENDINGS.has(ending)) return { problem: "is not a public DNS name" };
  if (ownHosts.some((host) => name === host || name.endsWith(`.${host}`))) {
    return { problem: "belongs to this service" };
  }
  if ((await findRegistered(name)) === null)
    return { problem: "is a public suffix, under which domains are registered" };
  return { name };
}

/** Whether a domain is itself a registered domain, not a subdomain. */
export async function isApex(name: string): Promise<boolean> {
  return (await findRegistered(name)) === name;
}

/** Returns the registered domain of a name; `null` for a public suffix. */
async function findRegistered(name: string): Promise<string | null> {
  // Loaded on demand, since the public suffix list is large.
  const { getDomain } = await import("tldts");
  return getDomain(name, { allowPrivateDomains: true, extractHostname: false });
}

/** A record to create at the DNS provider. */
export interface DnsRecord {
  readonly type: "TXT" | "CNAME" | "A" | "AAAA" | "ALIAS";
  readonly name: string;
  readonly value: string;
}

/** Where domains must point. */
export interface DomainTarget {
  /** Host of the published pages: a name or an IP address. */
  readonly host: string;
  /** Its IP addresses, if configured; for domains that can't have a CNAME. */
  readonly addresses: readonly string[];
}

export const VERIFICATION_PREFIX = "imprint-verify=";

/** Returns the record that proves control of a domain. */
export function verificationRecord({ name, token }: { readonly name: string; readonly token: string }): DnsRecord {
  return { type: "TXT", name: `_imprint.${name}`, value: `${VERIFICATION_PREFIX}${token}` };
}

/**
 * Returns the records that point a domain here. An apex domain can't have a CNAME: it gets the addresses if known, or
 * an ALIAS, which most DNS providers offer (also as ANAME or flattened CNAME).
 */
export function routingRecords(
  { name, isApex }: { readonly name: string; readonly isApex: boolean },
  { host, addresses }: DomainTarget,
): readonly DnsRecord[] {
  const direct = isIP(host) === 0 ? addresses : [host];
  if (isIP(host) === 0 && !isApex) return [{ type: "CNAME", name, value: host }];
  if (direct.length === 0) return [{ type: "ALIAS", name, value: host }];
  return direct.map((value) => ({ type: isIP(value) === 6 ? "AAAA" : "A", name, value }));
}

import { isIP } from "node:net";
import { domainToASCII } from "node:url";

/** What a text that should name a domain turned out to be. */
export type NamedDomain = { readonly name: string } | { readonly problem: string };

// Room for `_imprint.` before the name, within the 253 characters that DNS allows.
const MAX_LENGTH = 253 - "_imprint.".length;
const LABEL = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/;
// Names that the public DNS never has.
const PRIVATE_ENDINGS = new Set(["localhost", "local", "internal", "invalid", "onion", "arpa", "alt"]);

/**
 * Brings a domain into the form in which DNS and browsers know it: lower case, punycode, no dot at the end. What is no
 * domain that somebody could hold (an address, a port, a single word, a public suffix such as `co.uk` or `github.io`,
 * one of the service's own hosts or a name below it) is refused with a reason that follows on the text.
 */
export async function parseDomainName(
  text: string,
  { ownHosts }: { readonly ownHosts: readonly string[] },
): Promise<NamedDomain> {
  const written = text.trim().replace(/\.$/, "");
  if (/[:/@?#\\]/.test(written)) return { problem: "is more than a domain: leave out scheme, port and path" };
  const name = domainToASCII(written).toLowerCase();
  const labels = name.split(".");
  const ending = labels.at(-1) ?? "";
  // The conversion brings every way to write an IPv4 address to one.
  if (isIP(written) !== 0 || isIP(name) !== 0 || /^\d+$/.test(ending)) return { problem: "is an IP address" };
  if (!labels.every((label) => LABEL.test(label))) return { problem: "is no valid domain" };
  if (name.length > MAX_LENGTH) return { problem: "is too long" };
  if (labels.length < 2 || PRIVATE_ENDINGS.has(ending)) return { problem: "is no name of the public DNS" };
  if (ownHosts.some((host) => name === host || name.endsWith(`.${host}`))) {
    return { problem: "belongs to this service" };
  }
  if ((await findRegistered(name)) === null)
    return { problem: "is a public suffix, below which domains are registered" };
  return { name };
}

/** Whether a domain is one that was registered itself, and not a name below such a one. */
export async function isApex(name: string): Promise<boolean> {
  return (await findRegistered(name)) === name;
}

/** The domain that was registered for a name; `null` for a public suffix. */
async function findRegistered(name: string): Promise<string | null> {
  // The list of public suffixes is large, and only who names a domain needs it.
  const { getDomain } = await import("tldts");
  return getDomain(name, { allowPrivateDomains: true, extractHostname: false });
}

/** A record to set at the DNS host. */
export interface DnsRecord {
  readonly type: "TXT" | "CNAME" | "A" | "AAAA" | "ALIAS";
  readonly name: string;
  readonly value: string;
}

/** Where domains have to lead. */
export interface DomainTarget {
  /** Host of the published pages: a name or an IP address. */
  readonly host: string;
  /** Its addresses, where the operator has named them; for domains that can't have a CNAME. */
  readonly addresses: readonly string[];
}

export const VERIFICATION_PREFIX = "imprint-verify=";

/** The record that proves who holds a domain. */
export function verificationRecord({ name, token }: { readonly name: string; readonly token: string }): DnsRecord {
  return { type: "TXT", name: `_imprint.${name}`, value: `${VERIFICATION_PREFIX}${token}` };
}

/**
 * The records that lead a domain here. A registered domain can't have a CNAME beside its other records: it gets the
 * addresses where they are known, else an ALIAS, which most DNS hosts offer (also as ANAME or flattened CNAME).
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

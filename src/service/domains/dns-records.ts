import { isIP } from "node:net";

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

import type { CustomDomain, DnsRecord } from "../domains-api.ts";
import { dateOf, fieldOf, idOf, isRecord, textOf, type JsonRecord } from "./fields.ts";
import { findRecord, unreadable, type RecordContext } from "./unwrap.ts";

export function parseDomain(json: unknown, context: RecordContext): CustomDomain {
  const found = findRecord(json, { record: "domain", fits: readDomain });
  if (found === undefined) throw unreadable("domain with a name", { ...context, json });
  return found;
}

function readDomain(record: JsonRecord): CustomDomain | undefined {
  const domain = textOf(record, "domain", "hostname", "name");
  if (domain === undefined) return undefined;
  const verification = fieldOf(record, "verification", "verificationRecord");
  const ssl = fieldOf(record, "ssl", "tls", "certificate");
  const dns = fieldOf(record, "dns", "dnsRecords", "records");
  return {
    domain,
    id: idOf(record, "id", "domainId"),
    status: textOf(record, "status", "state"),
    verification: isRecord(verification) ? readDnsRecord(verification) : undefined,
    dns: Array.isArray(dns) ? dns.filter(isRecord).flatMap((entry) => readDnsRecord(entry) ?? []) : [],
    ssl: isRecord(ssl)
      ? { status: textOf(ssl, "status"), issuer: textOf(ssl, "issuer"), expiresAt: dateOf(ssl, "expiresAt") }
      : undefined,
    siteId: idOf(record, "siteId"),
    redirectTo: textOf(record, "redirectTo", "redirect"),
    createdAt: dateOf(record, "createdAt", "created"),
    lastCheckedAt: dateOf(record, "lastCheckedAt", "checkedAt"),
    nextCheckAt: dateOf(record, "nextCheckAt"),
    error: textOf(record, "error", "message"),
  };
}

function readDnsRecord(record: JsonRecord): DnsRecord | undefined {
  const type = textOf(record, "type", "recordType");
  const name = textOf(record, "name", "host", "hostname");
  const value = textOf(record, "value", "target", "content", "data");
  return type === undefined || name === undefined || value === undefined ? undefined : { type, name, value };
}

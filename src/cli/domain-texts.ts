import type { CustomDomain, DnsRecord } from "../client/account-api.ts";
import type { CliContext } from "./context.ts";
import { printable } from "./printable.ts";
import { renderTable, renderTime } from "./table.ts";
import { paintFor } from "./terminal.ts";
import { wrapFor } from "./wrap.ts";

const WORDS: Readonly<Record<string, string>> = {
  pending: "waits for its DNS records",
  verified: "is yours, but does not lead here yet",
  failed: "was given up",
};

/** All domains as a table. */
export function renderDomains(domains: readonly CustomDomain[], sites: ReadonlyMap<string, string>): string {
  if (domains.length === 0) return "There is no custom domain. Add one with `imprint domains add <domain>`.\n";
  const rows = domains.map(({ domain, status = "", ssl, siteId, redirectTo }) => [
    domain,
    status,
    ssl?.status === undefined || ssl.status === "off" ? "" : `https ${ssl.status}`,
    redirectTo === undefined ? (sites.get(siteId ?? "") ?? "") : `→ ${redirectTo}`,
  ]);
  return renderTable([["Domain", "Status", "", "Leads to"], ...rows]);
}

/** A domain that was just added, with what has to be set at its DNS host. */
export function renderAddedDomain(domain: CustomDomain, context: CliContext): string {
  const wrap = wrapFor(context.out, context.environment);
  if (domain.status === "active") return renderDomain(domain, { isActive: true, context });
  const next = `Records can take minutes to be seen. The service looks by itself; to look now:\n\n  imprint domains check ${domain.domain} --wait\n`;
  return [
    wrap(`${domain.domain} is added. Set these records where its DNS is managed:`, ""),
    "",
    ...renderRecords(domain, context),
    ...remarksOn(domain).map((remark) => `${wrap(remark, "")}\n`),
    next,
  ].join("\n");
}

/** How it stands with a domain, and what is missing. */
export function renderDomain(
  domain: CustomDomain,
  { isActive, context }: { readonly isActive: boolean; readonly context: CliContext },
): string {
  const paint = paintFor(context.out, context.environment);
  const wrap = wrapFor(context.out, context.environment);
  const { status = "", error, ssl, lastCheckedAt } = domain;
  const words = isActive ? "is active" : (WORDS[status] ?? `is not active: ${printable(status)}`);
  const state = `${domain.domain} ${words}.`;
  const until = ssl?.expiresAt === undefined ? "" : `, until ${renderTime(ssl.expiresAt)}`;
  return [
    paint(isActive ? "good" : "warn", state),
    ...(error === undefined ? [] : [wrap(`  ${printable(error)}`, "  ")]),
    ...(ssl?.status === undefined || ssl.status === "off" ? [] : [`  HTTPS: ${ssl.status}${until}`]),
    ...(lastCheckedAt === undefined ? [] : [paint("dim", `  Checked at ${renderTime(lastCheckedAt)}.`)]),
    ...(isActive ? [""] : ["", ...renderRecords(domain, context)]),
  ].join("\n");
}

/** One line for each part of a record, so that a value can be copied whole in a narrow terminal. */
function renderRecords({ verification, dns }: CustomDomain, { out, environment }: CliContext): readonly string[] {
  const paint = paintFor(out, environment);
  const records = verification === undefined ? dns : [verification, ...dns];
  return records.flatMap(({ type, name, value }: DnsRecord) => [
    `  Type   ${paint("strong", printable(type))}`,
    `  Name   ${paint("strong", printable(name))}`,
    `  Value  ${paint("strong", printable(value))}`,
    "",
  ]);
}

function remarksOn({ dns, domain }: CustomDomain): readonly string[] {
  const hasAlias = dns.some(({ type }) => type === "ALIAS");
  return [
    "Many DNS hosts add the end of the name themselves: leave it out there.",
    ...(hasAlias
      ? [`ALIAS is also called ANAME or flattened CNAME. A DNS host without it can serve www.${domain} instead.`]
      : []),
  ];
}

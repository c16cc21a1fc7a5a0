import type { DomainRecord } from "../../contract/records.ts";
import { isApex, routingRecords, verificationRecord, type DomainTarget } from "../resources/domain-name.ts";
import type { Context } from "../resources/context.ts";
import { findCertificates, type StoredCertificate } from "../store/certificates.ts";
import type { Domain } from "../store/domains.ts";

/** Domains as the wire shows them: with what has to be set at the DNS host, and how it stands with certificates. */
export async function viewDomains(context: Context, domains: readonly Domain[]): Promise<readonly DomainRecord[]> {
  const ids = domains.map(({ id }) => id);
  const certificates = await findCertificates(context.database, ids);
  const { target, hasCertificates } = context.domains;
  return await Promise.all(
    domains.map((domain) => {
      return viewDomain(domain, { target, hasCertificates, certificate: certificates.get(domain.id) });
    }),
  );
}

interface DomainViewOptions {
  readonly target: DomainTarget;
  /** The service gets certificates. */
  readonly hasCertificates: boolean;
  readonly certificate: StoredCertificate | undefined;
}

async function viewDomain(
  domain: Domain,
  { target, hasCertificates, certificate }: DomainViewOptions,
): Promise<DomainRecord> {
  const { name } = domain;
  return {
    id: domain.id,
    domain: name,
    status: domain.status,
    verification: verificationRecord(domain),
    dns: [...routingRecords({ name, isApex: await isApex(name) }, target)],
    ssl: {
      status: sslStatus(certificate, { hasCertificates }),
      issuer: certificate?.issuer ?? null,
      expiresAt: certificate?.expiresAt?.toISOString() ?? null,
    },
    createdAt: domain.createdAt.toISOString(),
    siteId: domain.siteId,
    redirectTo: domain.redirectTo,
    lastCheckedAt: domain.lastCheckedAt?.toISOString() ?? null,
    nextCheckAt: domain.nextCheckAt?.toISOString() ?? null,
    error: domain.error ?? certificate?.error ?? null,
  };
}

function sslStatus(
  certificate: StoredCertificate | undefined,
  { hasCertificates }: Pick<DomainViewOptions, "hasCertificates">,
): DomainRecord["ssl"]["status"] {
  if (!hasCertificates) return "off";
  if (certificate?.isReady === true) return "active";
  return (certificate?.error ?? null) === null ? "pending" : "failed";
}

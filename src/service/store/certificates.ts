import { sql, type Selectable } from "kysely";
import type { Claim, Lease } from "./outbox.ts";
import type { DomainCertificateTable } from "./tables/domains.ts";
import type { Database } from "./tables.ts";

/** How it stands with the certificate of a domain, without the key. */
export interface StoredCertificate {
  readonly domainId: string;
  /** There is one to show to visitors. */
  readonly isReady: boolean;
  readonly issuer: string | null;
  readonly issuedAt: Date | null;
  readonly expiresAt: Date | null;
  readonly nextOrderAt: Date;
  /** Orders that failed one after the other. */
  readonly attempts: number;
  /** Why the last order failed. */
  readonly error: string | null;
}

/** What a TLS server shows. */
export interface CertificateFiles {
  readonly domainId: string;
  readonly privateKey: string;
  readonly chain: string;
}

export interface IssuedCertificate extends Omit<CertificateFiles, "domainId"> {
  readonly issuer: string;
  readonly issuedAt: Date;
  readonly expiresAt: Date;
  /** When it is to be renewed. */
  readonly nextOrderAt: Date;
}

/** The certificates of these domains, by the id of the domain. */
export async function findCertificates(
  database: Database,
  domainIds: readonly string[],
): Promise<ReadonlyMap<string, StoredCertificate>> {
  if (domainIds.length === 0) return new Map();
  const rows = await database
    .selectFrom("domain_certificate")
    .selectAll()
    .where("domain_id", "in", domainIds)
    .execute();
  return new Map(rows.map((row) => [row.domain_id, toCertificate(row)]));
}

/** The certificate for a host name that is served. */
export async function findCertificateFiles(database: Database, name: string): Promise<CertificateFiles | undefined> {
  const row = await database
    .selectFrom("domain_certificate")
    .innerJoin("domain", "domain.id", "domain_certificate.domain_id")
    .select(["domain_certificate.domain_id", "domain_certificate.private_key", "domain_certificate.chain"])
    .where("domain.name", "=", name)
    .where("domain.held_at", "is not", null)
    .executeTakeFirst();
  if (row === undefined || row.private_key === null || row.chain === null) return undefined;
  return { domainId: row.domain_id, privateKey: row.private_key, chain: row.chain };
}

export interface ClaimedOrder {
  readonly domainId: string;
  readonly name: string;
  readonly attempts: number;
}

/**
 * Claims the order of a certificate that is due: of a domain that leads here and has none, or one to be renewed.
 */
export async function claimDueOrder(
  database: Database,
  { now, lease }: { readonly now: Date; readonly lease: Lease },
): Promise<ClaimedOrder | undefined> {
  await addMissingRows(database, now);
  const isFree = sql<boolean>`(lease_until is null or lease_until <= ${now.getTime()})`;
  const row = await database
    .updateTable("domain_certificate")
    .set({ lease: lease.token, lease_until: lease.until.getTime() })
    .where("domain_id", "in", (build) =>
      build
        .selectFrom("domain_certificate as due")
        .innerJoin("domain", "domain.id", "due.domain_id")
        .select("due.domain_id")
        .where("domain.status", "=", "active")
        .where("due.next_order_at", "<=", now.getTime())
        .where(sql<boolean>`(due.lease_until is null or due.lease_until <= ${now.getTime()})`)
        .orderBy("due.next_order_at")
        .limit(1),
    )
    // Once more for databases that look at the rows again after they waited for another process.
    .where(isFree)
    .returning(["domain_id", "attempts"])
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const domain = await database.selectFrom("domain").select("name").where("id", "=", row.domain_id).executeTakeFirst();
  return domain && { domainId: row.domain_id, attempts: row.attempts, name: domain.name };
}

async function addMissingRows(database: Database, now: Date): Promise<void> {
  await database
    .insertInto("domain_certificate")
    .columns(["domain_id", "next_order_at", "attempts"])
    .expression((build) =>
      build
        .selectFrom("domain")
        .select(["id", sql<number>`${sql.lit(now.getTime())}`.as("next_order_at"), sql<number>`0`.as("attempts")])
        .where("status", "=", "active")
        .where((where) =>
          where.not(
            where.exists(
              where
                .selectFrom("domain_certificate")
                .select("domain_id")
                .whereRef("domain_certificate.domain_id", "=", "domain.id"),
            ),
          ),
        ),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Keeps a new certificate and ends the claim; a domain that was removed meanwhile keeps nothing. */
export async function saveCertificate(
  database: Database,
  { id, token }: Claim,
  { privateKey, chain, issuer, ...times }: IssuedCertificate,
): Promise<void> {
  await database
    .updateTable("domain_certificate")
    .set({
      ...{ chain, issuer, error: null, attempts: 0, lease: null, lease_until: null },
      private_key: privateKey,
      issued_at: times.issuedAt.getTime(),
      expires_at: times.expiresAt.getTime(),
      next_order_at: times.nextOrderAt.getTime(),
    })
    .where("domain_id", "=", id)
    .where("lease", "=", token)
    .execute();
}

/** Notes that an order failed and when the next one is made. What was issued before stays. */
export async function noteFailedOrder(
  database: Database,
  { id, token }: Claim,
  { error, nextOrderAt }: { readonly error: string; readonly nextOrderAt: Date },
): Promise<void> {
  await database
    .updateTable("domain_certificate")
    .set((build) => ({
      ...{ error, lease: null, lease_until: null, next_order_at: nextOrderAt.getTime() },
      attempts: build("attempts", "+", 1),
    }))
    .where("domain_id", "=", id)
    .where("lease", "=", token)
    .execute();
}

function toCertificate(row: Selectable<DomainCertificateTable>): StoredCertificate {
  return {
    domainId: row.domain_id,
    isReady: row.chain !== null,
    issuer: row.issuer,
    issuedAt: dateOrNull(row.issued_at),
    expiresAt: dateOrNull(row.expires_at),
    nextOrderAt: new Date(row.next_order_at),
    attempts: row.attempts,
    error: row.error,
  };
}

function dateOrNull(time: number | null): Date | null {
  return time === null ? null : new Date(time);
}

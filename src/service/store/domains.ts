import { sql } from "kysely";
import type { InMemory } from "../../contract/fields.ts";
import type { DomainRecord } from "../../contract/records.ts";
import {
  claimDue,
  endClaim,
  findRow,
  type Claim,
  type ClaimRequest,
  type Lease,
  selectRows,
  given,
  putRow,
} from "./rows.ts";
import { readSought, type Sought, type Slice } from "./keyset.ts";
import type { Database } from "./tables.ts";

type ShownColumn = "id" | "siteId" | "redirectTo" | "status" | "error" | "lastCheckedAt" | "nextCheckAt" | "createdAt";

export interface Domain extends InMemory<Pick<DomainRecord, ShownColumn>> {
  readonly accountId: string;
  /** In lowercase and as used in DNS: `xn--mnchen-3ya.example`. */
  readonly name: string;
  /** The required content of the TXT record. */
  readonly token: string;
  /** Checks since setup or a recheck began. */
  readonly attempts: number;
  /** Since when the account is known to control the domain; `null` if it doesn't. Only then is the domain served. */
  readonly heldAt: Date | null;
  /** Since when a held domain's TXT record has been missing. */
  readonly missingSince: Date | null;
  readonly updatedAt: Date;
}

export interface DomainTable extends Domain {
  readonly lease: string | null;
  readonly leaseUntil: Date | null;
}

export async function listDomains(
  database: Database,
  accountId: string,
  { status, ...sought }: Sought & { readonly status?: Domain["status"] | undefined },
): Promise<Slice<Domain>> {
  const query = selectRows(database, "domain", { accountId, ...given({ status }) }).selectAll();
  return await readSought(database, query, { ...sought, columns: ["name"] });
}

export async function findHeldDomain(database: Database, name: string): Promise<Domain | undefined> {
  return await selectRows(database, "domain", { name }).selectAll().where("heldAt", "is not", null).executeTakeFirst();
}

/** Claims a domain, even from a running check, whose result is then discarded. */
export async function claimDomain(database: Database, id: string, lease: Lease): Promise<Domain | undefined> {
  return await database
    .updateTable("domain")
    .set({ lease: lease.token, leaseUntil: lease.until })
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirst();
}

export interface CertificateTable {
  readonly domainId: string;
  readonly privateKey: string | null;
  readonly chain: string | null;
  readonly issuer: string | null;
  readonly issuedAt: Date | null;
  readonly expiresAt: Date | null;
  readonly nextOrderAt: Date;
  /** Number of consecutive failed orders. */
  readonly attempts: number;
  /** Why the last order failed. */
  readonly error: string | null;
  readonly lease: string | null;
  readonly leaseUntil: Date | null;
}

/** State of a domain's certificate. */
export interface StoredCertificate extends Pick<CertificateTable, "issuer" | "expiresAt" | "error"> {
  /** Whether there is a certificate to serve. */
  readonly isReady: boolean;
}

/** What a TLS server presents. */
export interface CertificateFiles {
  readonly domainId: string;
  readonly privateKey: string;
  readonly chain: string;
}

export interface IssuedCertificate extends Omit<CertificateFiles, "domainId"> {
  readonly issuer: string;
  readonly issuedAt: Date;
  readonly expiresAt: Date;
  /** Renewal date. */
  readonly nextOrderAt: Date;
}

export async function findCertificates(database: Database, domainIds: readonly string[]) {
  if (domainIds.length === 0) return new Map();
  const rows = await database.selectFrom("domainCertificate").selectAll().where("domainId", "in", domainIds).execute();
  return new Map(rows.map((row) => [row.domainId, { ...row, isReady: row.chain !== null }]));
}

/** Returns the certificate of a host name that is served. */
export async function findCertificateFiles(database: Database, name: string): Promise<CertificateFiles | undefined> {
  const row = await database
    .selectFrom("domainCertificate")
    .innerJoin("domain", "domain.id", "domainCertificate.domainId")
    .select(["domainCertificate.domainId", "domainCertificate.privateKey", "domainCertificate.chain"])
    .where("domain.name", "=", name)
    .where("domain.heldAt", "is not", null)
    .executeTakeFirst();
  if (row === undefined || row.privateKey === null || row.chain === null) return undefined;
  return { ...row, privateKey: row.privateKey, chain: row.chain };
}

export interface ClaimedOrder {
  readonly domainId: string;
  readonly name: string;
  readonly attempts: number;
}

/**
 * Claims a due certificate order: for a domain that points here and has no certificate, or whose certificate needs
 * renewal.
 */
export async function claimDueOrder(database: Database, request: ClaimRequest): Promise<ClaimedOrder | undefined> {
  await addMissingRows(database, request.now);
  const where = sql`domain_id in (select id from domain where status = ${"active"})`;
  const order = await claimDue(database, "domainCertificate", { ...request, where });
  const domain = order && (await findRow(database, "domain", { id: order.domainId }));
  return domain && { domainId: domain.id, attempts: order.attempts, name: domain.name };
}

async function addMissingRows(database: Database, now: Date): Promise<void> {
  await sql`insert into domain_certificate (domain_id, next_order_at, attempts)
    select id, ${sql.lit(now.getTime())}, 0 from domain where status = 'active'
    and not exists (select 1 from domain_certificate where domain_id = domain.id)
    on conflict do nothing`.execute(database);
}

/** Stores a new certificate and ends the claim. Does nothing if the domain was removed meanwhile. */
export async function saveCertificate(database: Database, claim: Claim, issued: IssuedCertificate): Promise<void> {
  await endClaim(database, "domainCertificate", { claim, set: { ...issued, error: null, attempts: 0 } });
}

/** Records a failed order and the time of the next one. The previous certificate stays. */
export async function recordFailedOrder(
  database: Database,
  claim: Claim,
  failure: { readonly error: string; readonly nextOrderAt: Date },
): Promise<void> {
  await endClaim(database, "domainCertificate", { claim, set: { ...failure, attempts: sql`attempts + 1` } });
}

/** The response that a certificate authority expects at the URL of a token. */
export interface Challenge {
  readonly domainId: string;
  readonly token: string;
  readonly answer: string;
}

export async function saveChallenge(database: Database, { token, ...set }: Challenge): Promise<void> {
  await putRow(database, "acmeChallenge", { key: { token }, set });
}

import { sql } from "kysely";
import type { InMemory } from "../../contract/fields.ts";
import type { DomainRecord } from "../../contract/records.ts";
import { claimDue, createList, endClaim, findRow, type Claim, type ClaimRequest, type Lease } from "./rows.ts";
import { readSought, type SortedSlice, type Sought } from "./sorted.ts";
import type { Database } from "./tables.ts";

type ShownColumn = "id" | "siteId" | "redirectTo" | "status" | "error" | "lastCheckedAt" | "nextCheckAt" | "createdAt";

export interface Domain extends InMemory<Pick<DomainRecord, ShownColumn>> {
  readonly accountId: string;
  /** In lowercase, as DNS knows it: `xn--mnchen-3ya.example`. */
  readonly name: string;
  /** What the TXT record has to say. */
  readonly token: string;
  /** Checks since the domain began to be set up, or to be asked for again. */
  readonly attempts: number;
  /** Since when the account is known to hold the domain; `null`: it is not. Only then it is served. */
  readonly heldAt: Date | null;
  /** Since when the proof is gone of a domain that is held. */
  readonly missingSince: Date | null;
  readonly updatedAt: Date;
}

export interface DomainTable extends Domain {
  readonly lease: string | null;
  readonly leaseUntil: Date | null;
}

export const listDomains = createList("domain");

/** Domains that a person looks for; with `status` only those in it. */
export async function findDomains(
  database: Database,
  accountId: string,
  { status, ...sought }: Sought & { readonly status: Domain["status"] | undefined },
): Promise<SortedSlice<Domain>> {
  let query = database.selectFrom("domain").selectAll().where("accountId", "=", accountId);
  if (status !== undefined) query = query.where("status", "=", status);
  return await readSought(database, query, { ...sought, columns: ["name"] });
}

/** The domain that an account holds under this name, whichever account that is. */
export async function findHeldDomain(database: Database, name: string): Promise<Domain | undefined> {
  return await database
    .selectFrom("domain")
    .selectAll()
    .where("name", "=", name)
    .where("heldAt", "is not", null)
    .executeTakeFirst();
}

/** Claims a domain from whoever is checking it: what that one finds is not written any more. */
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
  /** Orders that failed one after the other. */
  readonly attempts: number;
  /** Why the last order failed. */
  readonly error: string | null;
  readonly lease: string | null;
  readonly leaseUntil: Date | null;
}

/** The state of a domain's certificate. */
export interface StoredCertificate extends Pick<CertificateTable, "issuer" | "expiresAt" | "error"> {
  /** There is one to show to visitors. */
  readonly isReady: boolean;
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
  const rows = await database.selectFrom("domainCertificate").selectAll().where("domainId", "in", domainIds).execute();
  return new Map(rows.map((row) => [row.domainId, { ...row, isReady: row.chain !== null }]));
}

/** The certificate for a host name that is served. */
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

/** Claims the order of a certificate that is due: of a domain that leads here and has none, or one to be renewed. */
export async function claimDueOrder(database: Database, request: ClaimRequest): Promise<ClaimedOrder | undefined> {
  await addMissingRows(database, request.now);
  const where = sql`domain_id in (select id from domain where status = ${"active"})`;
  const order = await claimDue(database, "domainCertificate", { ...request, where });
  const domain = order && (await findRow(database, "domain", { id: order.domainId }));
  return domain && { domainId: domain.id, attempts: order.attempts, name: domain.name };
}

async function addMissingRows(database: Database, now: Date): Promise<void> {
  await database
    .insertInto("domainCertificate")
    .columns(["domainId", "nextOrderAt", "attempts"])
    .expression((build) =>
      build
        .selectFrom("domain")
        .select(["id", sql<number>`${sql.lit(now.getTime())}`.as("nextOrderAt"), sql<number>`0`.as("attempts")])
        .where("status", "=", "active")
        .where((where) =>
          where.not(
            where.exists(
              where
                .selectFrom("domainCertificate")
                .select("domainId")
                .whereRef("domainCertificate.domainId", "=", "domain.id"),
            ),
          ),
        ),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Keeps a new certificate and ends the claim; a domain that was removed meanwhile keeps nothing. */
export async function saveCertificate(database: Database, claim: Claim, issued: IssuedCertificate): Promise<void> {
  await endClaim(database, "domainCertificate", { claim, set: { ...issued, error: null, attempts: 0 } });
}

/** Notes that an order failed and when the next one is made. What was issued before stays. */
export async function noteFailedOrder(
  database: Database,
  claim: Claim,
  failure: { readonly error: string; readonly nextOrderAt: Date },
): Promise<void> {
  await endClaim(database, "domainCertificate", { claim, set: { ...failure, attempts: sql`attempts + 1` } });
}

/** What a certificate authority expects at the address of a token. */
export interface Challenge {
  readonly domainId: string;
  readonly token: string;
  readonly answer: string;
}

export async function saveChallenge(database: Database, challenge: Challenge): Promise<void> {
  await database
    .insertInto("acmeChallenge")
    .values(challenge)
    .onConflict((conflict) => conflict.column("token").doUpdateSet(challenge))
    .execute();
}

/** Keeps the key of a new account at an authority, unless another process has made one meanwhile. */
export async function saveAcmeKey(
  database: Database,
  { directory, privateKey, now }: { readonly directory: string; readonly privateKey: string; readonly now: Date },
): Promise<void> {
  await database
    .insertInto("acmeAccount")
    .values({ directory, privateKey, createdAt: now })
    .onConflict((conflict) => conflict.column("directory").doNothing())
    .execute();
}

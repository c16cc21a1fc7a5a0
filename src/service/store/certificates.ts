import { sql } from "kysely";
import type { Claim, Lease } from "./deliveries.ts";
import type { Database } from "./tables.ts";

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

/** The state of a domain's certificate, without the key. */
export interface StoredCertificate extends Omit<CertificateTable, "privateKey" | "chain" | "lease" | "leaseUntil"> {
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
  return new Map(rows.map((row) => [row.domainId, toCertificate(row)]));
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
  return { domainId: row.domainId, privateKey: row.privateKey, chain: row.chain };
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
  const isFree = sql<boolean>`(lease_until is null or lease_until <= ${now})`;
  const row = await database
    .updateTable("domainCertificate")
    .set({ lease: lease.token, leaseUntil: lease.until })
    .where("domainId", "in", (build) =>
      build
        .selectFrom("domainCertificate as due")
        .innerJoin("domain", "domain.id", "due.domainId")
        .select("due.domainId")
        .where("domain.status", "=", "active")
        .where("due.nextOrderAt", "<=", now)
        .where(sql<boolean>`(due.lease_until is null or due.lease_until <= ${now})`)
        .orderBy("due.nextOrderAt")
        .limit(1),
    )
    // Once more for databases that look at the rows again after they waited for another process.
    .where(isFree)
    .returning(["domainId", "attempts"])
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const domain = await database.selectFrom("domain").select("name").where("id", "=", row.domainId).executeTakeFirst();
  return domain && { domainId: row.domainId, attempts: row.attempts, name: domain.name };
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
export async function saveCertificate(
  database: Database,
  { id, token }: Claim,
  { privateKey, chain, issuer, issuedAt, expiresAt, nextOrderAt }: IssuedCertificate,
): Promise<void> {
  const certificate = { privateKey, chain, issuer, issuedAt, expiresAt, nextOrderAt };
  await database
    .updateTable("domainCertificate")
    .set({ ...certificate, error: null, attempts: 0, lease: null, leaseUntil: null })
    .where("domainId", "=", id)
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
    .updateTable("domainCertificate")
    .set((build) => ({
      error,
      lease: null,
      leaseUntil: null,
      nextOrderAt,
      attempts: build("attempts", "+", 1),
    }))
    .where("domainId", "=", id)
    .where("lease", "=", token)
    .execute();
}

function toCertificate(row: CertificateTable): StoredCertificate {
  const { domainId, chain, issuer, issuedAt, expiresAt, nextOrderAt, attempts, error } = row;
  return { domainId, isReady: chain !== null, issuer, issuedAt, expiresAt, nextOrderAt, attempts, error };
}

// What the service and a certificate authority exchange.

/** The answer that the authority expects at a token's address on a domain; `undefined` for a token of nobody. */
export async function findChallenge(
  database: Database,
  { domainId, token }: { readonly domainId: string; readonly token: string },
): Promise<string | undefined> {
  const row = await database
    .selectFrom("acmeChallenge")
    .select("answer")
    .where("token", "=", token)
    .where("domainId", "=", domainId)
    .executeTakeFirst();
  return row?.answer;
}

export interface Challenge {
  readonly domainId: string;
  readonly token: string;
  readonly answer: string;
}

export async function saveChallenge(database: Database, { domainId, token, answer }: Challenge): Promise<void> {
  await database
    .insertInto("acmeChallenge")
    .values({ domainId, token, answer })
    .onConflict((conflict) => conflict.column("token").doUpdateSet({ domainId, answer }))
    .execute();
}

export async function deleteChallenge(database: Database, token: string): Promise<void> {
  await database.deleteFrom("acmeChallenge").where("token", "=", token).execute();
}

/** The key of the account at an authority; `undefined` while there is none. */
export async function findAcmeKey(database: Database, directory: string): Promise<string | undefined> {
  const row = await database
    .selectFrom("acmeAccount")
    .select("privateKey")
    .where("directory", "=", directory)
    .executeTakeFirst();
  return row?.privateKey;
}

/** Keeps the key of a new account, unless another process has made one meanwhile. */
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

import type { DomainRecord } from "../../contract/records.ts";
import { sql } from "kysely";
import { forgetAnswersNaming } from "./idempotent-requests.ts";
import { readSlice, type Slice, type Window } from "./keyset.ts";
import type { Claim, Lease } from "./outbox.ts";
import type { Database } from "./tables.ts";

export interface Domain {
  readonly id: string;
  readonly accountId: string;
  /** In lower case, as DNS knows it: `xn--mnchen-3ya.example`. */
  readonly name: string;
  /** `null`: the domain shows all pages of the account. */
  readonly siteId: string | null;
  /** Another host name to which every visitor is sent on. */
  readonly redirectTo: string | null;
  /** What the TXT record has to say. */
  readonly token: string;
  /** `pending`: not proven. `verified`: proven, but leads elsewhere. `active`: leads here. `failed`: given up. */
  readonly status: DomainRecord["status"];
  /** Why the last check did not find everything, in a sentence for the owner. */
  readonly error: string | null;
  /** Checks since the domain began to be set up, or to be asked for again. */
  readonly attempts: number;
  /** Since when the account is known to hold the domain; `null`: it is not. Only then it is served. */
  readonly heldAt: Date | null;
  /** Since when the proof is gone of a domain that is held. */
  readonly missingSince: Date | null;
  readonly lastCheckedAt: Date | null;
  /** `null`: only when it is asked for. */
  readonly nextCheckAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export interface DomainTable extends Domain {
  readonly lease: string | null;
  readonly leaseUntil: Date | null;
}

/** A domain by its id or by its name. */
export type DomainKey =
  | { readonly accountId: string; readonly id: string; readonly name?: undefined }
  | { readonly accountId: string; readonly name: string; readonly id?: undefined };

export async function findDomain(database: Database, key: DomainKey): Promise<Domain | undefined> {
  const query = database.selectFrom("domain").selectAll().where("accountId", "=", key.accountId);
  return await (
    key.id === undefined ? query.where("name", "=", key.name) : query.where("id", "=", key.id)
  ).executeTakeFirst();
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

export async function listDomains(database: Database, accountId: string, window: Window): Promise<Slice<Domain>> {
  const query = database.selectFrom("domain").selectAll().where("accountId", "=", accountId);
  return await readSlice(query, window);
}

export async function countDomains(database: Database, accountId: string): Promise<number> {
  const { count } = await database
    .selectFrom("domain")
    .select((build) => build.fn.countAll<number>().as("count"))
    .where("accountId", "=", accountId)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** The names of the domains that lead to a site, held or not. */
export async function listDomainsOfSite(database: Database, siteId: string): Promise<readonly string[]> {
  const rows = await database.selectFrom("domain").select("name").where("siteId", "=", siteId).execute();
  return rows.map((row) => row.name);
}

export async function insertDomain(database: Database, domain: Domain): Promise<void> {
  await database.insertInto("domain").values(domain).execute();
}

/** Changes what the owner decides about a domain. */
export async function updateDomain(
  database: Database,
  { id, siteId, redirectTo, updatedAt }: Pick<Domain, "id" | "siteId" | "redirectTo" | "updatedAt">,
): Promise<void> {
  await database.updateTable("domain").set({ siteId, redirectTo, updatedAt }).where("id", "=", id).execute();
}

/** Deletes a domain with its certificate and key. */
export async function deleteDomain(database: Database, id: string): Promise<void> {
  await database.deleteFrom("domain").where("id", "=", id).execute();
  await forgetAnswersNaming(database, id);
}

/** Claims the domain whose check is due longest, so that no other process checks it meanwhile. */
export async function claimDueDomain(
  database: Database,
  { now, lease }: { readonly now: Date; readonly lease: Lease },
): Promise<Domain | undefined> {
  const isFree = sql<boolean>`(lease_until is null or lease_until <= ${now})`;
  return await database
    .updateTable("domain")
    .set({ lease: lease.token, leaseUntil: lease.until })
    .where("id", "in", (build) =>
      build
        .selectFrom("domain")
        .select("id")
        .where("nextCheckAt", "<=", now)
        .where(isFree)
        .orderBy("nextCheckAt")
        .limit(1),
    )
    // Once more for databases that look at the rows again after they waited for another process.
    .where(isFree)
    .returningAll()
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

/** What a check changes. */
export type CheckedFields = Pick<
  Domain,
  "status" | "error" | "attempts" | "heldAt" | "missingSince" | "lastCheckedAt" | "nextCheckAt"
>;

/** Writes what a check found and ends the claim; `undefined` when the claim was not in force any more. */
export async function finishCheck(
  database: Database,
  { id, token }: Claim,
  { status, error, attempts, heldAt, missingSince, lastCheckedAt, nextCheckAt }: CheckedFields,
): Promise<Domain | undefined> {
  const checked = { status, error, attempts, heldAt, missingSince, lastCheckedAt, nextCheckAt };
  return await database
    .updateTable("domain")
    .set({ ...checked, lease: null, leaseUntil: null })
    .where("id", "=", id)
    .where("lease", "=", token)
    .returningAll()
    .executeTakeFirst();
}

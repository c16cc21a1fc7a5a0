import { sql, type Selectable } from "kysely";
import { forgetAnswersNaming } from "./idempotent-requests.ts";
import { readSlice, type Slice, type Window } from "./keyset.ts";
import type { Claim, Lease } from "./outbox.ts";
import type { DomainTable } from "./tables/domains.ts";
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
  readonly status: DomainTable["status"];
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

/** A domain by its id or by its name. */
export type DomainKey =
  | { readonly accountId: string; readonly id: string; readonly name?: undefined }
  | { readonly accountId: string; readonly name: string; readonly id?: undefined };

export async function findDomain(database: Database, key: DomainKey): Promise<Domain | undefined> {
  const query = database.selectFrom("domain").selectAll().where("account_id", "=", key.accountId);
  const row = await (
    key.id === undefined ? query.where("name", "=", key.name) : query.where("id", "=", key.id)
  ).executeTakeFirst();
  return row && toDomain(row);
}

/** The domain that an account holds under this name, whichever account that is. */
export async function findHeldDomain(database: Database, name: string): Promise<Domain | undefined> {
  const row = await database
    .selectFrom("domain")
    .selectAll()
    .where("name", "=", name)
    .where("held_at", "is not", null)
    .executeTakeFirst();
  return row && toDomain(row);
}

export async function listDomains(database: Database, accountId: string, window: Window): Promise<Slice<Domain>> {
  const query = database.selectFrom("domain").selectAll().where("account_id", "=", accountId);
  return await readSlice(query, window, toDomain);
}

export async function countDomains(database: Database, accountId: string): Promise<number> {
  const { count } = await database
    .selectFrom("domain")
    .select((build) => build.fn.countAll<number>().as("count"))
    .where("account_id", "=", accountId)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** The names of the domains that lead to a site, held or not. */
export async function listDomainsOfSite(database: Database, siteId: string): Promise<readonly string[]> {
  const rows = await database.selectFrom("domain").select("name").where("site_id", "=", siteId).execute();
  return rows.map((row) => row.name);
}

export async function insertDomain(database: Database, domain: Domain): Promise<void> {
  await database
    .insertInto("domain")
    .values({
      id: domain.id,
      account_id: domain.accountId,
      name: domain.name,
      token: domain.token,
      created_at: domain.createdAt.getTime(),
      updated_at: domain.updatedAt.getTime(),
      site_id: domain.siteId,
      redirect_to: domain.redirectTo,
      lease: null,
      lease_until: null,
      ...checkedColumns(domain),
    })
    .execute();
}

/** Changes what the owner decides about a domain. */
export async function updateDomain(
  database: Database,
  { id, siteId, redirectTo, updatedAt }: Pick<Domain, "id" | "siteId" | "redirectTo" | "updatedAt">,
): Promise<void> {
  await database
    .updateTable("domain")
    .set({ site_id: siteId, redirect_to: redirectTo, updated_at: updatedAt.getTime() })
    .where("id", "=", id)
    .execute();
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
  const isFree = sql<boolean>`(lease_until is null or lease_until <= ${now.getTime()})`;
  const row = await database
    .updateTable("domain")
    .set({ lease: lease.token, lease_until: lease.until.getTime() })
    .where("id", "in", (build) =>
      build
        .selectFrom("domain")
        .select("id")
        .where("next_check_at", "<=", now.getTime())
        .where(isFree)
        .orderBy("next_check_at")
        .limit(1),
    )
    // Once more for databases that look at the rows again after they waited for another process.
    .where(isFree)
    .returningAll()
    .executeTakeFirst();
  return row && toDomain(row);
}

/** Claims a domain from whoever is checking it: what that one finds is not written any more. */
export async function claimDomain(database: Database, id: string, lease: Lease): Promise<Domain | undefined> {
  const row = await database
    .updateTable("domain")
    .set({ lease: lease.token, lease_until: lease.until.getTime() })
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirst();
  return row && toDomain(row);
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
  checked: CheckedFields,
): Promise<Domain | undefined> {
  const row = await database
    .updateTable("domain")
    .set({ ...checkedColumns(checked), lease: null, lease_until: null })
    .where("id", "=", id)
    .where("lease", "=", token)
    .returningAll()
    .executeTakeFirst();
  return row && toDomain(row);
}

function checkedColumns({ status, error, attempts, ...times }: CheckedFields) {
  return {
    ...{ status, error, attempts },
    held_at: times.heldAt?.getTime() ?? null,
    missing_since: times.missingSince?.getTime() ?? null,
    last_checked_at: times.lastCheckedAt?.getTime() ?? null,
    next_check_at: times.nextCheckAt?.getTime() ?? null,
  };
}

function toDomain(row: Selectable<DomainTable>): Domain {
  return {
    id: row.id,
    accountId: row.account_id,
    name: row.name,
    siteId: row.site_id,
    redirectTo: row.redirect_to,
    token: row.token,
    status: row.status,
    error: row.error,
    attempts: row.attempts,
    heldAt: dateOrNull(row.held_at),
    missingSince: dateOrNull(row.missing_since),
    lastCheckedAt: dateOrNull(row.last_checked_at),
    nextCheckAt: dateOrNull(row.next_check_at),
    createdAt: new Date(row.created_at),
    updatedAt: new Date(row.updated_at),
  };
}

function dateOrNull(time: number | null): Date | null {
  return time === null ? null : new Date(time);
}

import { sql } from "kysely";
import type { DomainRecord } from "../../contract/records.ts";
import { readSlice, type Slice, type Window } from "./keyset.ts";
import type { Claim, Lease } from "./deliveries.ts";
import { forgetAnswersNaming } from "./requests.ts";
import { findNewestSite, homePageOf } from "./sites.ts";
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
  /** `pending`: not proven. `verified`: proven, but leads elsewhere. `active`: leads here. `failed`: checked for too long. */
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

// What a request to a custom domain asks for.

export interface ServedDomain {
  readonly id: string;
  readonly name: string;
  readonly redirectTo: string | null;
  /** `null`: all pages of the account. */
  readonly siteId: string | null;
  /** The slug of the home page. */
  readonly home: string | undefined;
  /** Until when there is a certificate to show; `null`: there is none. */
  readonly certifiedUntil: Date | null;
}

export interface ServedDomainKey {
  readonly accountId: string;
  readonly name: string;
}

/** A domain that the account is known to hold; `undefined` for every other name. */
export async function findServedDomain(
  database: Database,
  { accountId, name }: ServedDomainKey,
): Promise<ServedDomain | undefined> {
  const row = await database
    .selectFrom("domain")
    .leftJoin("site", "site.id", "domain.siteId")
    .leftJoin("domainCertificate", "domainCertificate.domainId", "domain.id")
    .select(["domain.id", "domain.redirectTo", "domain.siteId", "site.homeSlug as home"])
    .select("domainCertificate.expiresAt as certifiedUntil")
    .where("domain.accountId", "=", accountId)
    .where("domain.name", "=", name)
    .where("domain.heldAt", "is not", null)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const newest = row.siteId === null ? await findNewestSite(database, accountId) : undefined;
  return { ...row, name, home: newest === undefined ? (row.home ?? undefined) : homePageOf(newest) };
}

export interface ServedPage {
  readonly id: string;
  readonly slug: string;
  readonly contentHash: string;
}

/** The published page of a domain's site that has the first of these slugs. */
export async function findServedPage(
  database: Database,
  { accountId, siteId }: { readonly accountId: string; readonly siteId: string | null },
  slugs: readonly string[],
): Promise<ServedPage | undefined> {
  if (slugs.length === 0) return undefined;
  let query = database
    .selectFrom("page")
    .select(["id", "slug", "contentHash"])
    .where("accountId", "=", accountId)
    .where("slug", "in", slugs)
    .where("status", "=", "published");
  if (siteId !== null) query = query.where("siteId", "=", siteId);
  const rows = await query.execute();
  const [row] = rows.toSorted((one, other) => slugs.indexOf(one.slug) - slugs.indexOf(other.slug));
  return row;
}

/** Whether a blog is shown on a domain that leads to this site. */
export async function isBlogOfSite(
  database: Database,
  { accountId, siteId }: { readonly accountId: string; readonly siteId: string | null },
  blogSlug: string,
): Promise<boolean> {
  if (siteId === null) return true;
  const row = await database
    .selectFrom("blog")
    .select("id")
    .where("accountId", "=", accountId)
    .where("slug", "=", blogSlug)
    .where("siteId", "=", siteId)
    .executeTakeFirst();
  return row !== undefined;
}

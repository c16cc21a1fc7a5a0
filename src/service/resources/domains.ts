import type { DomainCreateBody, DomainPatchBody } from "../../contract/operations/visitors.ts";
import { domainRecord, type DomainRecord } from "../../contract/records.ts";
import { isApex, parseDomainName, routingRecords, verificationRecord } from "./domain-name.ts";
import { findCertificates, findHeldDomain, type Domain, type StoredCertificate } from "../store/domains.ts";
import { countRows, deleteRecord, findRow, insertRow, updateRows } from "../store/rows.ts";
import { base62, RANDOM_BYTES } from "../../contract/api-key.ts";
import { audit } from "./audit.ts";
import type { Context } from "./context.ts";
import { ProblemError } from "../http/problem.ts";
import { applyPatch, checkLimit, checkSite, createView, found } from "./fields.ts";

export interface DomainAdded {
  readonly domain: Domain;
  readonly outcome: "created" | "existing";
}

export async function getDomain({ database, accountId }: Context, idOrName: string): Promise<Domain> {
  const key = idOrName.includes(".")
    ? { accountId, name: idOrName.toLowerCase().replace(/\.$/, "") }
    : { accountId, id: idOrName };
  return found(await findRow(database, "domain", key), "domain_not_found");
}

/**
 * Adds a domain, which is then checked in the background. An existing one is returned with the given site. Throws
 * `invalid_domain`, `site_not_found`, `limit_reached`, and `domain_taken` if another account has verified it.
 */
export async function addDomain(context: Context, body: DomainCreateBody): Promise<DomainAdded> {
  const { database, accountId, limits, now, newId, random } = context;
  const name = await parseDomain(context, body.domain, "/body/domain");
  await checkSite(context, body.siteId);
  const existing = await findRow(database, "domain", { accountId, name });
  if (existing !== undefined) {
    return { domain: await changeDomain(context, existing, { siteId: body.siteId }), outcome: "existing" };
  }
  if ((await findHeldDomain(database, name)) !== undefined) throw domainTaken(name);
  checkLimit(await countRows(database, "domain", { accountId }), limits.maxDomains, "domains");
  const domain: Domain = {
    id: newId("dm"),
    accountId,
    name,
    token: base62(random(RANDOM_BYTES)),
    siteId: body.siteId ?? null,
    redirectTo: null,
    status: "pending",
    error: null,
    attempts: 0,
    heldAt: null,
    missingSince: null,
    lastCheckedAt: null,
    nextCheckAt: now,
    createdAt: now,
    updatedAt: now,
  };
  await insertRow(database, "domain", domain);
  await audit(context, { action: "domain.created", subject: name, subjectId: domain.id });
  return { domain, outcome: "created" };
}

/** Sets a domain's target: a site, all pages (`siteId: null`), or a redirect to another domain. */
export async function patchDomain(
  context: Context,
  idOrName: string,
  patch: Omit<DomainPatchBody, "verify">,
): Promise<Domain> {
  const domain = await getDomain(context, idOrName);
  await checkSite(context, patch.siteId);
  const redirectTo =
    typeof patch.redirectTo === "string" ? await parseRedirect(context, domain, patch.redirectTo) : patch.redirectTo;
  return await changeDomain(context, domain, { ...patch, redirectTo });
}

/**
 * Queries DNS now, outside any transaction. A failed domain starts over. Throws `rate_limited`, and `domain_taken` if
 * another account has verified it.
 */
export async function checkDomain(context: Context, idOrName: string): Promise<Domain> {
  const { id, name } = await getDomain(context, idOrName);
  const checked = await context.domains.check(id);
  const domain = checked ?? (await getDomain(context, id));
  if (domain.heldAt === null && (await findHeldDomain(context.database, name)) !== undefined) throw domainTaken(name);
  return domain;
}

/** Removes a domain with its certificate and key; it is no longer served. */
export async function removeDomain(context: Context, idOrName: string): Promise<void> {
  const { id, name } = await getDomain(context, idOrName);
  await deleteRecord(context.database, "domain", { id });
  await audit(context, { action: "domain.deleted", subject: name, subjectId: id });
}

async function changeDomain(
  context: Context,
  domain: Domain,
  patch: Pick<DomainPatchBody, "siteId" | "redirectTo">,
): Promise<Domain> {
  const { id, name } = domain;
  const { siteId, redirectTo } = applyPatch(domain, patch);
  if (siteId === domain.siteId && redirectTo === domain.redirectTo) return domain;
  const set = { siteId, redirectTo, updatedAt: context.now };
  await updateRows(context.database, "domain", { match: { id }, set });
  const { database, accountId } = context;
  const site = siteId === null ? undefined : await findRow(database, "site", { accountId, id: siteId });
  const detail = `points to ${redirectTo ?? site?.name ?? "all pages"}`;
  await audit(context, { action: "domain.changed", subject: name, subjectId: id, detail });
  return { ...domain, ...set };
}

async function parseDomain({ addresses }: Context, text: string, pointer: string): Promise<string> {
  const ownHosts = [addresses.appUrl, addresses.pagesUrl].map((url) => new URL(url).hostname);
  const parsed = await parseDomainName(text, { ownHosts });
  if ("name" in parsed) return parsed.name;
  throw invalidDomain(`${JSON.stringify(text)} ${parsed.problem}.`, { pointer, detail: parsed.problem });
}

async function parseRedirect(context: Context, { name, accountId }: Domain, text: string): Promise<string> {
  const pointer = "/body/redirectTo";
  const target = await parseDomain(context, text, pointer);
  const next = await findRow(context.database, "domain", { accountId, name: target });
  if (target === name || (next !== undefined && next.redirectTo !== null)) {
    throw invalidDomain(`Visitors of ${name} would be redirected more than once.`, {
      pointer,
      detail: "is a redirect itself",
    });
  }
  return target;
}

function invalidDomain(detail: string, error: { readonly pointer: string; readonly detail: string }): ProblemError {
  return new ProblemError("invalid_domain", { detail, errors: [error] });
}

function domainTaken(name: string): ProblemError {
  return new ProblemError("domain_taken", {
    detail: `Another account of this service has verified ${name}.`,
  });
}

/** Returns domains with their required DNS records and the state of their certificates. */
export async function viewDomains(context: Context, domains: readonly Domain[]): Promise<readonly DomainRecord[]> {
  const ids = domains.map(({ id }) => id);
  const certificates = await findCertificates(context.database, ids);
  const apexes = await Promise.all(domains.map(({ name }) => isApex(name)));
  return domains.map((domain, index) =>
    viewDomain(domain, context.domains, { isApex: apexes[index] === true, certificate: certificates.get(domain.id) }),
  );
}

interface DomainFacts {
  readonly isApex: boolean;
  readonly certificate: StoredCertificate | undefined;
}

const viewDomain = createView(
  domainRecord,
  (domain: Domain, { target, hasCertificates }: Context["domains"], { isApex: isRoot, certificate }: DomainFacts) => ({
    domain: domain.name,
    verification: verificationRecord(domain),
    dns: [...routingRecords({ name: domain.name, isApex: isRoot }, target)],
    ssl: {
      status: hasCertificates ? sslStatus(certificate) : "off",
      issuer: certificate?.issuer ?? null,
      expiresAt: certificate?.expiresAt?.toISOString() ?? null,
    },
    error: domain.error ?? certificate?.error ?? null,
  }),
);

function sslStatus(certificate: StoredCertificate | undefined): DomainRecord["ssl"]["status"] {
  if (certificate?.isReady === true) return "active";
  return (certificate?.error ?? null) === null ? "pending" : "failed";
}

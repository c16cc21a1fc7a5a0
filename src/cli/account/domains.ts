import { setTimeout as delay } from "node:timers/promises";
import { ImprintError } from "../../base/error.ts";
import type { CustomDomain } from "../../client/records/records.ts";
import type { ImprintApi, Site } from "../../client/api.ts";
import { failureOf } from "../../client/transport/outcome.ts";
import type { Paint } from "../../sync/report/render-text.ts";
import type { CliContext } from "../context.ts";
import { printable, wrapFor } from "../terminal.ts";
import { renderTable, renderTime } from "../table.ts";
import {
  findListed,
  requireOperation,
  type AccountFlags,
  type AccountResult,
  type AccountRun,
} from "./account-command.ts";
import { findSite, nameSite } from "./sites.ts";

export async function list({ withApi, signal }: AccountRun): Promise<AccountResult> {
  return withApi(async (api) => {
    const [domains, sites] = await Promise.all([api.domains.list({ signal }), listSites(api, signal)]);
    const names = new Map(sites.map((site) => [site.id, nameSite(site)]));
    return { json: domains.items, text: renderDomains(domains.items, names) };
  });
}

/** `imprint domains add`: shows the DNS records to set. */
export async function add({ args, flags, context, paint, withApi, signal }: AccountRun): Promise<AccountResult> {
  const [name = ""] = args;
  const { site, redirect: redirectTo } = flags;
  return withApi(async (api) => {
    if (redirectTo !== undefined && site !== undefined) {
      throw new ImprintError("USAGE", "A domain shows a site (--site) or redirects to another (--redirect), not both.");
    }
    if (redirectTo !== undefined) {
      requireOperation(api, { operation: "domains.patch", action: "redirect a domain to another" });
    }
    // Only our own service is known to return a domain that it already has. A host may have no domains at all.
    const known = api.capabilities.account === undefined ? await searchDomain(api, name, signal) : undefined;
    const siteId = redirectTo === undefined ? await chooseSite(api, site, signal) : undefined;
    const added = known ?? (await api.domains.create({ domain: name, siteId }, { signal }));
    const domain =
      redirectTo === undefined ? added : await api.domains.update(added.domain, { redirectTo }, { signal });
    const style = { paint, wrap: wrapFor(context.out, context.environment) };
    return { json: domain, text: renderAddedDomain(domain, style) };
  });
}

// Returns the ID of the named site, else of the only one.
async function chooseSite(api: ImprintApi, site?: string, signal?: AbortSignal): Promise<string | undefined> {
  if (site !== undefined) return (await findSite(api, site, signal)).id;
  const items = await listSites(api, signal);
  if (items.length > 1) {
    throw new ImprintError("USAGE", `The account has ${items.length} sites: ${items.map(nameSite).join(", ")}.`, {
      hint: "Choose the domain's site with --site.",
    });
  }
  return items[0]?.id;
}

// A host may have domains and no sites.
async function listSites(api: ImprintApi, signal?: AbortSignal): Promise<readonly Site[]> {
  try {
    return (await api.sites.list({ signal })).items;
  } catch (error) {
    if (error instanceof ImprintError && error.code === "AREA_REFUSED") return [];
    throw error;
  }
}

/** `imprint domains remove`: stops serving the domain and deletes its certificate. */
export async function remove({ args, withApi, confirm, signal }: AccountRun): Promise<AccountResult> {
  const [name = ""] = args;
  return withApi(async (api) => {
    const found = await findDomain(api, name, signal);
    const { domain } = found;
    const removed = await confirm(`Remove ${domain}? It stops working for visitors.`);
    if (!removed) return { json: { domain, removed }, text: `${domain} was not removed.\n`, exitCode: 1 };
    await api.domains.delete(found, { signal });
    const left = await findListed(api, () => api.domains.list({ signal }), {
      isSame: (item) => item.domain === domain,
      signal,
    });
    if (left === undefined) {
      return { json: { domain, removed }, text: `Removed ${domain}. You can delete its DNS records.\n` };
    }
    const status = left.status === undefined ? "" : ` (${printable(left.status)})`;
    const text = `The service accepted the removal of ${domain}, but still lists it${status}. Keep its DNS records until it is gone from \`imprint domains list\`.\n`;
    return { json: { domain, removed: false }, text, exitCode: 1 };
  });
}

/** Finds a domain by its name, in any case, or by its ID. */
async function findDomain(api: ImprintApi, name: string, signal?: AbortSignal): Promise<CustomDomain> {
  const found = await searchDomain(api, name, signal);
  if (found !== undefined) return found;
  throw new ImprintError("USAGE", `The account has no domain "${name}".`, { hint: "See `imprint domains list`." });
}

async function searchDomain(api: ImprintApi, name: string, signal?: AbortSignal): Promise<CustomDomain | undefined> {
  const { items } = await api.domains.list({ signal });
  const wanted = URL.parse(`http://${name}`)?.hostname.replace(/\.$/, "");
  return items.find(({ domain, id }) => domain === wanted || id === name);
}

function renderDomains(domains: readonly CustomDomain[], sites: ReadonlyMap<string, string>): string {
  if (domains.length === 0) return "There are no custom domains. Add one with `imprint domains add <domain>`.\n";
  const rows = domains.map(({ domain, status = "", ssl, siteId, redirectTo }) => [
    domain,
    status,
    hasCertificate(ssl) ? `https ${ssl.status}` : "",
    redirectTo === undefined ? (sites.get(siteId ?? "") ?? "") : `→ ${redirectTo}`,
  ]);
  return renderTable([["Domain", "Status", "", "Target"], ...rows]);
}

function hasCertificate(ssl: CustomDomain["ssl"]): ssl is { readonly status: string } & CustomDomain["ssl"] {
  return ssl?.status !== undefined && ssl.status !== "off";
}

interface Style {
  readonly paint: Paint;
  readonly wrap: ReturnType<typeof wrapFor>;
}

// Renders a new domain with the records to set at its DNS host.
function renderAddedDomain(domain: CustomDomain, style: Style): string {
  if (domain.status === "active") return renderDomain(domain, true, style);
  const { wrap } = style;
  if (domain.verification === undefined && domain.dns.length === 0) {
    const where = "The service shows no DNS records for it here: look for them in its dashboard.";
    return `${wrap(`Added ${domain.domain}. ${where}`, "")}\n`;
  }
  const remarks = ["Many DNS hosts append the domain to the name: leave it out if yours does."];
  if (domain.dns.some(({ type }) => type === "ALIAS")) {
    const other = `If your DNS host has none, use www.${domain.domain} instead.`;
    remarks.push(`ALIAS is also called ANAME or flattened CNAME. ${other}`);
  }
  const next = "DNS changes can take minutes. The service checks automatically; to check now:";
  return [
    wrap(`Added ${domain.domain}. Set these records at its DNS host:`, ""),
    "",
    ...renderRecords(domain, style),
    ...remarks.map((remark) => `${wrap(remark, "")}\n`),
    `${wrap(next, "")}\n\n  imprint domains check ${domain.domain} --wait\n`,
  ].join("\n");
}

const STATES: Readonly<Record<string, string>> = {
  pending: "is waiting for its DNS records",
  verified: "is verified, but doesn't point to the service yet",
  failed: "could not be verified",
};

/** The status of a domain, and what is missing. */
function renderDomain(domain: CustomDomain, isActive: boolean, style: Style): string {
  const { paint, wrap } = style;
  const { status = "", error, ssl, lastCheckedAt } = domain;
  const unnamed = error === undefined ? ", and the service doesn't say why" : "";
  const named = status.trim() === "" ? unnamed : `: ${printable(status)}`;
  const state = isActive ? "is active" : (STATES[status] ?? `is not active${named}`);
  const until = ssl?.expiresAt === undefined ? "" : `, until ${renderTime(ssl.expiresAt)}`;
  return [
    paint(isActive ? "good" : "warn", `${domain.domain} ${state}.`),
    ...(error === undefined ? [] : [wrap(`  ${printable(error)}`, "  ")]),
    ...(hasCertificate(ssl) ? [`  HTTPS: ${ssl.status}${until}`] : []),
    ...(lastCheckedAt === undefined ? [] : [paint("dim", `  Checked at ${renderTime(lastCheckedAt)}.`)]),
    ...(isActive ? [""] : ["", ...renderRecords(domain, style)]),
  ].join("\n");
}

// One line for each part of a record, so that a value can be copied whole in a narrow terminal.
function renderRecords({ verification, dns }: CustomDomain, { paint }: Style): readonly string[] {
  const records = verification === undefined ? dns : [verification, ...dns];
  return records.flatMap(({ type, name, value }) => [
    `  Type   ${paint("strong", printable(type))}`,
    `  Name   ${paint("strong", printable(name))}`,
    `  Value  ${paint("strong", printable(value))}`,
    "",
  ]);
}

const USUAL_WAIT_MINUTES = 30;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 15_000;

/** `imprint domains check`: exits with 0 if the domain is verified and points to the service, else with 1. */
export async function check({ args, flags, context, paint, withApi }: AccountRun): Promise<AccountResult> {
  const [name = ""] = args;
  const waitMs = parseWait(flags.wait);
  return withApi(async (api) => {
    const asked = await findDomain(api, name, context.signal);
    const isActive = createJudge(api);
    const domain = await pollUntilActive(createLook(api, asked, context), { waitMs, context, isActive });
    const isDone = isActive(domain);
    const style = { paint, wrap: wrapFor(context.out, context.environment) };
    return { json: domain, text: renderDomain(domain, isDone, style), exitCode: isDone ? 0 : 1 };
  });
}

type Look = () => Promise<CustomDomain>;

/** Requests a check if the service accepts that, else reads the result of the service's own last check. */
function createLook(api: ImprintApi, asked: CustomDomain, { signal, error }: CliContext): Look {
  let canAsk = true;

  function read(reason: string): Promise<CustomDomain> {
    if (canAsk) error.write(explainReading(asked, reason));
    canAsk = false;
    return findDomain(api, asked.domain, signal);
  }

  return async () => {
    if (!api.capabilities.operations.has("domains.patch")) return await read("Route set B can't request a check");
    if (!canAsk) return await read("");
    try {
      return await api.domains.check(asked.domain, { signal });
    } catch (refusal) {
      if (!isUnknownRequest(refusal)) throw refusal;
      return await read("The service doesn't accept check requests");
    }
  };
}

// The body that requests a check is our own: the specification defines none.
const UNKNOWN_REQUEST = new Set([400, 405, 415, 422, 501]);

function isUnknownRequest(error: unknown): boolean {
  const isUnreadable = error instanceof ImprintError && error.code === "RESPONSE_UNREADABLE";
  return isUnreadable || UNKNOWN_REQUEST.has(failureOf(error)?.status ?? 0);
}

function explainReading({ lastCheckedAt, nextCheckAt }: CustomDomain, reason: string): string {
  const last = lastCheckedAt === undefined ? "" : ` Last checked at ${renderTime(lastCheckedAt)}.`;
  const next = nextCheckAt === undefined ? "" : ` Next check at ${renderTime(nextCheckAt)}.`;
  return `${reason}. Showing the service's own last check.${last}${next}\n`;
}

type Judge = (domain: CustomDomain) => boolean;

/** Whether a domain is set up. Other services may have other names for that status. */
function createJudge({ capabilities }: ImprintApi): Judge {
  const isOurs = capabilities.account !== undefined;
  return ({ status = "" }) =>
    isOurs ? status === "active" : /^(?:active|verified|live|connected|ready)$/i.test(status);
}

async function pollUntilActive(
  look: Look,
  { waitMs, context, isActive }: { readonly waitMs: number; readonly context: CliContext; readonly isActive: Judge },
): Promise<CustomDomain> {
  const until = Date.now() + waitMs;
  let pauseMs = FIRST_PAUSE_MS;
  let domain = await look();
  let reported: string | undefined;
  while (!isActive(domain) && Date.now() + pauseMs <= until) {
    const state = domain.error ?? `It is ${domain.status ?? "not active"}.`;
    if (state !== reported) context.error.write(`Waiting. ${printable(state)}\n`);
    reported = state;
    await delay(pauseMs, undefined, { signal: context.signal }).catch(throwInterrupted);
    pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 2);
    domain = await look();
  }
  return domain;
}

function throwInterrupted(cause: unknown): never {
  throw new ImprintError("ABORTED", "The wait was interrupted; the service keeps checking.", { cause });
}

function parseWait(wait: AccountFlags["wait"]): number {
  if (wait === undefined) return 0;
  const minutes = wait === true ? USUAL_WAIT_MINUTES : Number(wait);
  if (Number.isFinite(minutes) && minutes > 0) return minutes * 60_000;
  throw new ImprintError("USAGE", `--wait accepts a number of minutes, not "${String(wait)}".`);
}

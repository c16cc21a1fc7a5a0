import { ImprintError } from "../../base/error.ts";
import type { ImprintApi } from "../../client/api.ts";
import type { CustomDomain } from "../../client/account-api.ts";
import { confirmDeletion, type DeletionFlags } from "../confirm.ts";
import type { CliContext, ExitCode } from "../context.ts";
import { renderAddedDomain, renderDomains } from "../domain-texts.ts";
import { findSite, nameSite } from "../find-site.ts";
import { print } from "../print.ts";
import { requireOperation } from "../require-operation.ts";
import type { PublishFlags } from "../shared-flags.ts";
import { withApi } from "../with-api.ts";

/** `imprint domains list`. */
export async function listDomainsCommand(flags: PublishFlags, context: CliContext): Promise<ExitCode> {
  const { signal } = context;
  await withApi(flags, context, async (api) => {
    const [domains, sites] = await Promise.all([api.domains.list({ signal }), api.sites.list({ signal })]);
    const names = new Map(sites.items.map((site) => [site.id, nameSite(site)]));
    print(domains.items, { flags, context, text: renderDomains(domains.items, names) });
  });
  return 0;
}

export interface AddDomainFlags extends PublishFlags {
  readonly site?: string;
  readonly redirect?: string;
}

/** `imprint domains add`: says which records to set. */
export async function addDomainCommand(name: string, flags: AddDomainFlags, context: CliContext): Promise<ExitCode> {
  const { signal } = context;
  await withApi(flags, context, async (api) => {
    if (flags.redirect !== undefined && flags.site !== undefined) {
      throw new ImprintError("USAGE", "A domain shows a site (--site) or leads on to another (--redirect), not both.");
    }
    if (flags.redirect !== undefined) {
      requireOperation(api, { operation: "domains.patch", deed: "let a domain lead on to another" });
    }
    const siteId = flags.redirect === undefined ? await chooseSite(api, flags, context) : undefined;
    const added = await api.domains.create({ domain: name, siteId }, { signal });
    const { redirect: redirectTo } = flags;
    const domain =
      redirectTo === undefined ? added : await api.domains.update(added.domain, { redirectTo }, { signal });
    print(domain, { flags, context, text: renderAddedDomain(domain, context) });
  });
  return 0;
}

/** The site that a new domain leads to: the one that was named, else the only one. */
async function chooseSite(
  api: ImprintApi,
  { site }: AddDomainFlags,
  { signal }: CliContext,
): Promise<string | undefined> {
  if (site !== undefined) return (await findSite(api, site, signal)).id;
  const { items } = await api.sites.list({ signal });
  if (items.length > 1) {
    throw new ImprintError("USAGE", `The account has ${items.length} sites: ${items.map(nameSite).join(", ")}.`, {
      hint: "Say with --site to which one the domain leads.",
    });
  }
  return items[0]?.id;
}

/** `imprint domains remove`: the domain is not served any more, and its certificate is erased. */
export async function removeDomainCommand(name: string, flags: DeletionFlags, context: CliContext): Promise<ExitCode> {
  const { signal } = context;
  return await withApi(flags, context, async (api) => {
    const domain = await findDomain(api, name, signal);
    const question = `Remove ${domain.domain}? Visitors who open it will find nothing.`;
    const isRemoved = await confirmDeletion(question, flags, context);
    if (isRemoved) await api.domains.delete(domain, { signal });
    const text = isRemoved
      ? `${domain.domain} is removed. Its DNS records can go as well.\n`
      : `${domain.domain} stays as it is.\n`;
    print({ domain: domain.domain, removed: isRemoved }, { flags, context, text });
    return isRemoved ? 0 : 1;
  });
}

/** The domain that a person means, whatever the case of its letters. */
export async function findDomain(
  api: ImprintApi,
  name: string,
  signal: AbortSignal | undefined,
): Promise<CustomDomain> {
  const { items } = await api.domains.list({ signal });
  const wanted = URL.parse(`http://${name}`)?.hostname.replace(/\.$/, "");
  const found = items.find(({ domain, id }) => domain === wanted || id === name);
  if (found !== undefined) return found;
  throw new ImprintError("USAGE", `The account has no domain "${name}".`, { hint: "See `imprint domains list`." });
}

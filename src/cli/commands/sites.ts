import { ImprintError } from "../../base/error.ts";
import type { ImprintApi, Site } from "../../client/api.ts";
import { confirmDeletion, type DeletionFlags } from "../confirm.ts";
import type { CliContext, ExitCode } from "../context.ts";
import { findSite, nameSite } from "../find-site.ts";
import { print } from "../print.ts";
import { requireOperation } from "../require-operation.ts";
import type { PublishFlags } from "../shared-flags.ts";
import { countPages, renderSite, renderSites } from "../site-texts.ts";
import { withApi } from "../with-api.ts";

/** `imprint sites list`. */
export async function listSitesCommand(flags: PublishFlags, context: CliContext): Promise<ExitCode> {
  const { items } = await withApi(flags, context, (api) => api.sites.list({ signal: context.signal }));
  print(items, { flags, context, text: renderSites(items) });
  return 0;
}

/** `imprint sites show`. */
export async function showSiteCommand(text: string, flags: PublishFlags, context: CliContext): Promise<ExitCode> {
  const site = await withApi(flags, context, (api) => findSite(api, text, context.signal));
  print(site, { flags, context, text: renderSite(site) });
  return 0;
}

export interface ChangeSiteFlags extends PublishFlags {
  /** Changes the site although the service does not show what a change would take away. */
  readonly yes?: boolean;
}

export interface RenameArguments {
  readonly site: string;
  readonly name: string;
}

/** `imprint sites rename`. */
export async function renameSiteCommand(
  { site: text, name }: RenameArguments,
  flags: ChangeSiteFlags,
  context: CliContext,
): Promise<ExitCode> {
  await withApi(flags, context, async (api) => {
    const site = await findSite(api, text, context.signal);
    const changed = await changeSite(api, site, { change: { name }, flags, context });
    print(changed, { flags, context, text: `${nameSite(site)} is called ${nameSite(changed)} from now on.\n` });
  });
  return 0;
}

export interface HomeArguments {
  readonly site: string;
  /** `undefined`: none. */
  readonly slug: string | undefined;
}

export interface HomeFlags extends ChangeSiteFlags {
  readonly none?: boolean;
}

/** `imprint sites home`: the page that the site's address leads to. */
export async function setHomeCommand(
  { site: text, slug }: HomeArguments,
  flags: HomeFlags,
  context: CliContext,
): Promise<ExitCode> {
  if ((slug === undefined) !== (flags.none === true)) {
    throw new ImprintError("USAGE", "Name the slug of the home page, or take it away with --none.");
  }
  await withApi(flags, context, async (api) => {
    const site = await findSite(api, text, context.signal);
    if (slug !== undefined) await checkPage(api, slug, context);
    const changed = await changeSite(api, site, { change: { homeSlug: slug ?? null }, flags, context });
    const said = slug === undefined ? "has no home page from now on" : `leads to the page ${slug} from now on`;
    print(changed, { flags, context, text: `${nameSite(site)} ${said}.\n` });
  });
  return 0;
}

export interface RemoveSiteFlags extends DeletionFlags {
  readonly withPages?: boolean;
}

/** `imprint sites remove`: its pages stay unless it is asked for. */
export async function removeSiteCommand(text: string, flags: RemoveSiteFlags, context: CliContext): Promise<ExitCode> {
  return await withApi(flags, context, async (api) => {
    requireOperation(api, { operation: "sites.delete", deed: "delete a site" });
    const site = await findSite(api, text, context.signal);
    const isRemoved = await confirmDeletion(removalQuestion(site, flags, api), flags, context);
    const pages = flags.withPages === true ? "delete" : undefined;
    if (isRemoved) await api.sites.delete(site.id, { pages, signal: context.signal });
    const said = `${nameSite(site)} ${isRemoved ? "is deleted" : "stays as it is"}.\n`;
    print({ id: site.id, removed: isRemoved }, { flags, context, text: said });
    return isRemoved ? 0 : 1;
  });
}

function removalQuestion(site: Site, { withPages }: RemoveSiteFlags, { capabilities }: ImprintApi): string {
  const pages = site.pageCount === undefined ? "its pages" : `its ${countPages(site.pageCount)}`;
  const question = `Delete the site ${nameSite(site)}`;
  if (withPages === true) return `${question} and ${pages}, also those that imprint did not publish?`;
  // Only our own service is known to keep them.
  const isKnown = capabilities.account !== undefined;
  return isKnown
    ? `${question}? It lets go of ${pages}, which stay.`
    : `${question}? What becomes of ${pages} is up to the service.`;
}

interface Change {
  readonly change: Partial<Parameters<ImprintApi["sites"]["update"]>[1]>;
  readonly flags: ChangeSiteFlags;
  readonly context: CliContext;
}

/** Route set B replaces a site whole, so all that is known of it is sent along. */
async function changeSite(api: ImprintApi, site: Site, { change, flags, context }: Change): Promise<Site> {
  const { id, name = nameSite(site), slug, homeSlug, brandKitId } = site;
  const { signal } = context;
  if (api.capabilities.operations.has("sites.patch"))
    return await api.sites.update(id, { name, ...change }, { signal });
  if (slug === undefined && flags.yes !== true) {
    throw new ImprintError(
      "USAGE",
      "The service does not show a site's home page and brand kit, and route set B replaces the whole site: they would be taken away.",
      {
        hint: "Add --yes to do it all the same.",
      },
    );
  }
  return await api.sites.update(id, { name, slug, homeSlug, brandKitId, ...change }, { signal });
}

async function checkPage(api: ImprintApi, slug: string, { signal }: CliContext): Promise<void> {
  const canGet = api.capabilities.operations.has("pages.get");
  const isThere = canGet
    ? (await api.pages.get(slug, { signal })) !== undefined
    : (await api.pages.list({}, { signal })).items.some((page) => page.slug === slug);
  if (!isThere) throw new ImprintError("USAGE", `There is no page "${slug}".`);
}

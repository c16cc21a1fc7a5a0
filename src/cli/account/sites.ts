import { pluralize } from "../../base/pluralize.ts";
import { ImprintError } from "../../base/error.ts";
import type { ImprintApi, Site } from "../../client/api.ts";
import { siteBodyOf, siteRecord } from "../../contract/records.ts";
import { renderFacts, renderRecords, shorten } from "../table.ts";
import { findListed, findOne, requireOperation, type AccountResult, type AccountRun } from "./account-command.ts";
import { printable } from "../terminal.ts";

export async function list({ withApi, signal }: AccountRun): Promise<AccountResult> {
  const { items } = await withApi((api) => api.sites.list({ signal }));
  if (items.length === 0) {
    return { json: items, text: "There are no sites. The first `imprint publish` creates one.\n" };
  }
  const name = (site: Site) => shorten(nameSite(site), MAX_NAME);
  return { json: items, text: renderRecords(siteRecord, items, [["name", name], "pageCount", "id", "domain"]) };
}

const MAX_NAME = 24;
const FACTS = ["name", "id", "slug", "domain", "url", "homeSlug", "brandKitId", "pageCount", "createdAt"] as const;

export async function show({ args, withApi, signal }: AccountRun): Promise<AccountResult> {
  const [text = ""] = args;
  const site = await withApi((api) => findSite(api, text, signal));
  return { json: site, text: renderFacts(siteRecord, site, FACTS) };
}

export async function rename(run: AccountRun): Promise<AccountResult> {
  const [, name = ""] = run.args;
  return run.withApi(async (api) => {
    const [site, changed] = await changeSite(api, run, { name });
    if (changed.name !== undefined && changed.name !== name) {
      const text = `The service accepted the change, but the site's name is still ${nameSite(changed)}.\n`;
      return { json: changed, text, exitCode: 1 };
    }
    return { json: changed, text: `Renamed ${nameSite(site)} to ${printable(name)}.\n` };
  });
}

/** `imprint sites home`: the page at the site's root address. */
export async function home(run: AccountRun): Promise<AccountResult> {
  const [, slug] = run.args;
  if ((slug === undefined) !== (run.flags.none === true)) {
    throw new ImprintError("USAGE", "Name the slug of the home page, or remove it with --none.");
  }
  return run.withApi(async (api) => {
    if (slug !== undefined) await checkPage(api, slug, run);
    const [site, changed] = await changeSite(api, run, { homeSlug: slug ?? null });
    const shown = changed.homeSlug;
    if (shown !== undefined && shown !== (slug ?? null)) {
      const before = shown === null ? "no home page" : `the home page ${printable(shown)}`;
      const text = `The service accepted the change, but still shows ${before} for ${nameSite(site)}.\n`;
      return { json: changed, text, exitCode: 1 };
    }
    const outcome = slug === undefined ? "no longer has a home page" : `now has the home page ${slug}`;
    return { json: changed, text: `${nameSite(site)} ${outcome}.\n` };
  });
}

/** `imprint sites remove`: keeps the site's pages unless `--with-pages` is given. */
export async function remove({ args, flags, withApi, confirm, signal }: AccountRun): Promise<AccountResult> {
  const [text = ""] = args;
  const { withPages = false } = flags;
  return withApi(async (api) => {
    requireOperation(api, { operation: "sites.delete", action: "delete a site" });
    const site = await findSite(api, text, signal);
    const removed = await confirm(removalQuestion(site, { withPages, api }));
    if (!removed) return { json: { id: site.id, removed }, text: `${nameSite(site)} was not deleted.\n`, exitCode: 1 };
    const own = await listPages(api, site, signal);
    await api.sites.delete(site.id, { pages: withPages ? "delete" : undefined, signal });
    const present = new Set(
      own.length === 0 ? [] : (await api.pages.list({}, { signal })).items.map(({ slug }) => slug),
    );
    if (withPages) for (const slug of own.filter((each) => present.has(each))) await api.pages.delete(slug, { signal });
    const gone = withPages ? [] : own.filter((slug) => !present.has(slug));
    const isUnknown = withPages && own.length === 0 && api.capabilities.account === undefined;
    const fate = isUnknown
      ? " The service doesn't show which pages belong to it: check whether readers still see them."
      : gone.length > 0
        ? ` The service deleted its pages with it: ${gone.join(", ")}. Publish yours again, or restore them there.`
        : "";
    const isListed =
      (await findListed(api, () => api.sites.list({ signal }), { isSame: ({ id }) => id === site.id, signal })) !==
      undefined;
    const done = isListed
      ? `The service accepted the deletion of ${nameSite(site)}, but still lists it.`
      : `${nameSite(site)} was deleted.`;
    return {
      json: { id: site.id, removed: !isListed, ...(gone.length > 0 && { deletedPages: gone }) },
      text: `${done}${fate}\n`,
      exitCode: gone.length > 0 || isListed ? 1 : 0,
    };
  });
}

/** Returns the slugs of a site's pages. Our own service does with them what it is asked for, so they aren't needed. */
async function listPages(api: ImprintApi, { id }: Site, signal: AbortSignal | undefined): Promise<readonly string[]> {
  if (api.capabilities.account !== undefined) return [];
  const { items } = await api.pages.list({}, { signal });
  return items.flatMap(({ slug, siteId }) => (siteId === id ? [slug] : []));
}

function removalQuestion(
  site: Site,
  { withPages, api }: { readonly withPages: boolean; readonly api: ImprintApi },
): string {
  const pages = site.pageCount === undefined ? "its pages" : `its ${pluralize(site.pageCount, "page")}`;
  const question = `Delete the site ${nameSite(site)}`;
  if (withPages) return `${question} and ${pages}, including those that imprint didn't publish?`;
  // Only our own service is known to keep them.
  return api.capabilities.account === undefined
    ? `${question}? The service decides what happens to ${pages}.`
    : `${question}? This keeps ${pages}.`;
}

/** Returns the site before and after the change. Route set B replaces the whole site, so every known field is sent. */
async function changeSite(
  api: ImprintApi,
  { args: [text = ""], flags, signal }: AccountRun,
  change: Partial<Parameters<ImprintApi["sites"]["update"]>[1]>,
): Promise<readonly [site: Site, changed: Site]> {
  const site = await findSite(api, text, signal);
  const { id, name = nameSite(site), slug } = site;
  const isPatched = api.capabilities.operations.has("sites.patch");
  if (!isPatched && slug === undefined && flags.yes !== true) {
    const message =
      "The service doesn't show a site's home page and brand kit, and route set B replaces the whole site: the change would remove them.";
    throw new ImprintError("USAGE", message, { hint: "Add --yes to change the site anyway." });
  }
  const body = isPatched ? { name, ...change } : { ...siteBodyOf({ ...site, name }), ...change };
  return [site, await api.sites.update(id, body, { signal })];
}

async function checkPage(api: ImprintApi, slug: string, { signal }: AccountRun): Promise<void> {
  const exists = api.capabilities.operations.has("pages.get")
    ? (await api.pages.get(slug, { signal })) !== undefined
    : (await api.pages.list({}, { signal })).items.some((page) => page.slug === slug);
  if (!exists) throw new ImprintError("USAGE", `There is no page "${slug}".`);
}

/** Finds a site by its ID, slug or name. Throws `USAGE` if none or several match. */
export async function findSite(api: ImprintApi, text: string, signal: AbortSignal | undefined): Promise<Site> {
  const { items } = await api.sites.list({ signal });
  return findOne(items, text, {
    isExact: ({ id, slug }) => id === text || slug === text,
    none: `There is no site "${text}".`,
    several: (count) => `${count} sites are called "${text}"`,
    list: "imprint sites list",
  });
}

/** Returns the site's name, else its slug or ID. */
export function nameSite({ id, name, slug }: Site): string {
  return printable(name ?? slug ?? id);
}

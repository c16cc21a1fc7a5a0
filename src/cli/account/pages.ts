import { ImprintError } from "../../base/error.ts";
import type { ImprintApi, Page } from "../../client/api.ts";
import { pageRecord } from "../../contract/records.ts";
import { renderFacts, renderRecords, shorten } from "../table.ts";
import { requireOperation, type AccountResult, type AccountRun } from "./account-command.ts";
import { keepPart } from "./preview-pages.ts";
import { findSite } from "./sites.ts";

const MAX_TITLE = 40;

export async function list({ flags, withApi, signal }: AccountRun): Promise<AccountResult> {
  const { items } = await withApi(async (api) => {
    const siteId = await findSiteId(api, flags.site, signal);
    return await api.pages.list(siteId === undefined ? {} : { siteId }, { signal });
  });
  const { shown, more } = keepPart(items, { flags, of: ({ slug }) => slug, command: "pages list" });
  if (shown.length === 0) return { json: shown, text: `There are no pages.\n${more}` };
  const title = (page: Page) => shorten(page.title ?? "", MAX_TITLE);
  const text = renderRecords(pageRecord, shown, ["slug", "status", ["title", title], "publicUrl"]);
  return { json: shown, text: text + more };
}

const FACTS = ["slug", "title", "status", "siteId", "version", "publicUrl"] as const;

/** `imprint pages update`: changes only the given fields, never the HTML. */
export async function update({ args, flags, withApi, signal }: AccountRun): Promise<AccountResult> {
  const [slug = ""] = args;
  const { title, description, status, site } = flags;
  if ([title, description, status, site].every((flag) => flag === undefined)) {
    throw new ImprintError("USAGE", "Specify what to change: --title, --description, --status or --site.");
  }
  return await withApi(async (api) => {
    requireOperation(api, {
      operation: "pages.patch",
      action: "change a page without its HTML",
      hint: "Change the page in the site and publish again, or use the service's dashboard.",
    });
    const siteId = site === "" ? null : await findSiteId(api, site, signal);
    const change = { title, description: description === "" ? null : description, status, siteId };
    const page = await api.pages.patch(slug, change, { signal });
    return { json: page, text: renderFacts(pageRecord, page, FACTS) };
  });
}

async function findSiteId(api: ImprintApi, site?: string, signal?: AbortSignal): Promise<string | undefined> {
  return site === undefined ? undefined : (await findSite(api, site, signal)).id;
}

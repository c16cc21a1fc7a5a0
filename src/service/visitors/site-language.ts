import { canonicalLanguage } from "../../base/language.ts";
import { findAttribute } from "../../html/attributes.ts";
import { parseHtml } from "../../html/parse.ts";
import type { Core } from "../host/core.ts";
import { findSubjectSite } from "../look/find-look.ts";
import { findPublishedState, readPageHtml } from "../store/pages.ts";

// By content hash of the home page. Only its start tag is needed, which stands in the first kilobyte.
const known = new Map<string, string | undefined>();
const MAX_KNOWN = 1000;
const START_BYTES = 4096;

/** The language of a site, as the `lang` of its home page says it; `undefined` where it does not. */
export async function findSiteLanguage(core: Core, siteId: string | null): Promise<string | undefined> {
  const { store, account } = core;
  const site = await findSubjectSite(core, { kind: "site", siteId });
  if (site === undefined || site.homeSlug === null) return undefined;
  const page = await findPublishedState(store.database, { accountId: account.id, slug: site.homeSlug });
  if (page === undefined) return undefined;
  if (!known.has(page.contentHash)) {
    const html = await readPageHtml(store.database, page.id);
    if (known.size >= MAX_KNOWN) known.clear();
    const start = html === undefined ? "" : Buffer.from(html.subarray(0, START_BYTES)).toString("utf8");
    known.set(page.contentHash, canonicalLanguage(findAttribute(parseHtml(start).root, "lang")));
  }
  return known.get(page.contentHash);
}

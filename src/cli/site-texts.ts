import type { Site } from "../client/api.ts";
import { nameSite } from "./find-site.ts";
import { renderTable, renderTime } from "./table.ts";

const MAX_NAME = 24;

/** All sites as a table. */
export function renderSites(sites: readonly Site[]): string {
  if (sites.length === 0) return "There is no site. The first `imprint publish` makes one.\n";
  const rows = sites.map((site) => [
    shorten(nameSite(site)),
    site.pageCount === undefined ? "" : String(site.pageCount),
    site.id,
    site.domain ?? "",
  ]);
  return renderTable([["Site", "Pages", "Id", "Domain"], ...rows]);
}

/** What is known of one site. */
export function renderSite(site: Site): string {
  const facts: readonly (readonly [string, string | undefined])[] = [
    ["Name", site.name],
    ["Id", site.id],
    ["Slug", site.slug],
    ["Domain", site.domain],
    ["Address", site.url],
    ["Home page", site.homeSlug],
    ["Brand kit", site.brandKitId],
    ["Pages", site.pageCount === undefined ? undefined : String(site.pageCount)],
    ["Made", site.createdAt === undefined ? undefined : renderTime(site.createdAt)],
  ];
  return renderTable(facts.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}

export function countPages(count: number): string {
  return count === 1 ? "1 page" : `${count} pages`;
}

/** A text that is cut where it is too long for a table. */
export function shorten(text: string, longest = MAX_NAME): string {
  return text.length > longest ? `${text.slice(0, longest - 1)}…` : text;
}

import type { ImprintApi } from "../client/api.ts";
import { publishedAddress } from "../client/published-address.ts";
import { HOME_SLUG } from "../contract/slug.ts";
import { removedDialect, removedParts } from "../html/page-parts.ts";
import type { SeenPage } from "./known-pages.ts";
import type { Owner } from "./project.ts";

/**
 * Learns of a host that is not remembered what the pages that it has show of it: a run that sends nothing has no first
 * page to look at.
 */
export async function learnAgain(
  seen: readonly SeenPage[],
  { api, owner }: { readonly api: ImprintApi; readonly owner: Owner },
): Promise<void> {
  if (areAllChanged(seen, owner)) api.learn({ html: "changed" });
  const { pagesAt } = api.capabilities;
  const own = seen.filter((page) => page.kind === "read" && page.marker?.project === owner.project);
  const page = own.find(({ record }) => record.slug === HOME_SLUG) ?? own[0];
  if (page?.kind !== "read" || pagesAt === undefined) return;
  const visit = await api.visit(publishedAddress(pagesAt, page.record.slug));
  if (visit?.status !== 200) return;
  const removed = removedParts(await page.readHtml(), new TextDecoder().decode(visit.bytes));
  api.learn(removedDialect(removed, api.dialect));
}

const FEW_CHANGED = 2;

/**
 * Whether a host of which nothing is remembered shows pages otherwise than they were sent, as one that adds a banner:
 * several pages are this project's, and none is as it was sent. Nobody edits all of them.
 */
function areAllChanged(seen: readonly SeenPage[], { project }: Pick<Owner, "project">): boolean {
  const own = seen.flatMap((page) => (page.kind === "read" && page.marker?.project === project ? [page.marker] : []));
  return own.length >= FEW_CHANGED && own.every(({ intact }) => !intact);
}

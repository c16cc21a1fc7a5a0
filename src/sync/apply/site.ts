import type { SiteCreateBody } from "../../contract/operations/content.ts";
import type { Site } from "../../client/api.ts";
import type { ApplyContext } from "../apply.ts";
import type { SiteChange } from "../changes.ts";
import type { DesiredSite } from "../desired.ts";
import { attempt } from "../../base/outcome.ts";

/** Gives the id of the site; `undefined` when it could not be made, so that pages are published without one. */
export async function applySite(change: SiteChange, context: ApplyContext): Promise<string | undefined> {
  if (change.kind === "keep") {
    remember(change.known.id, context);
    context.records?.found("sites", change.known);
    context.onOutcome?.({ resource: "site", kind: "keep", name: change.name, reason: change.reason, status: "done" });
    return change.known.id;
  }
  if (change.kind === "blocked") {
    context.onOutcome?.({ resource: "site", ...change, status: "skipped" });
    return undefined;
  }
  let id: string | undefined;
  const outcome = await attempt({ resource: "site", ...change }, async () => {
    const site = await send(change, context);
    id = site.id;
    remember(site.id, context);
    context.records?.wrote("sites", shownSite(site, siteBody(change.desired)));
    return { url: site.url };
  });
  context.onOutcome?.(outcome);
  return id;
}

function send(change: Exclude<SiteChange, { kind: "keep" | "blocked" }>, { api }: ApplyContext) {
  if (change.kind === "create") return api.sites.create(siteBody(change.desired));
  const { known } = change;
  return api.sites.update(
    known.id,
    { ...siteBody(change.desired), brandKitId: known.brandKitId },
    { ifMatch: known.version },
  );
}

export function siteBody(site: DesiredSite): SiteCreateBody {
  return { name: site.name, slug: site.slug, homeSlug: site.homeSlug };
}

/** The site as a write left it; `undefined` when the answer does not show all that was sent. */
export function shownSite(answer: Site, { name, slug, homeSlug, brandKitId }: SiteCreateBody): Site | undefined {
  const isShown = answer.name === name && answer.slug === slug && answer.homeSlug === homeSlug;
  return isShown && (brandKitId === undefined || answer.brandKitId === brandKitId) ? answer : undefined;
}

function remember(siteId: string, { store }: ApplyContext): void {
  store.rememberIds({ siteId });
}

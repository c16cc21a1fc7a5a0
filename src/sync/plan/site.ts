import type { SiteChange } from "../changes.ts";
import type { PlanInput } from "../plan.ts";

export function planSite({ desired, known }: PlanInput): SiteChange | undefined {
  if (desired.preview !== undefined) return undefined;
  const wanted = desired.site;
  const { name } = wanted;
  const refusal = known.refused.sites;
  if (refusal !== undefined) return { kind: "blocked", name, reason: refusal, counts: "never" };
  const site = known.site;
  if (site === undefined && known.owner.isUncertain) {
    const reason = "the service does not show which of its sites this is";
    return { kind: "blocked", name, reason, hint: "Run `imprint adopt`.", counts: "never" };
  }
  if (site === undefined) {
    const isTaken = known.siteSlugs.has(wanted.slug);
    const slug = isTaken ? `${wanted.slug}-${known.owner.project}` : wanted.slug;
    return { kind: "create", name, reason: "the service has no such site", desired: { ...wanted, slug } };
  }
  // A field that the service does not show can't be compared; it was set when the site was created.
  const differs =
    (site.name !== undefined && site.name !== name) ||
    (site.homeSlug !== undefined && site.homeSlug !== wanted.homeSlug);
  const desiredSite = { ...wanted, slug: site.slug ?? wanted.slug };
  return differs
    ? { kind: "update", name, reason: "its name or home page changed", desired: desiredSite, known: site }
    : { kind: "keep", name, reason: "nothing changed", known: site };
}

import type { SiteChange } from "../changes.ts";
import type { PlanInput } from "../plan.ts";

export function planSite({ desired, known }: PlanInput): SiteChange | undefined {
  if (desired.preview !== undefined) return undefined;
  const wanted = desired.site;
  const site = known.site;
  if (site === undefined) {
    return { kind: "create", name: wanted.name, reason: "the service has no such site", desired: wanted };
  }
  // A field that the service does not tell can't be compared; it was set when the site was created.
  const differs =
    (site.name !== undefined && site.name !== wanted.name) ||
    (site.homeSlug !== undefined && site.homeSlug !== wanted.homeSlug);
  return differs
    ? { kind: "update", name: wanted.name, reason: "its name or home page changed", desired: wanted, known: site }
    : { kind: "keep", name: wanted.name, reason: "nothing changed", known: site };
}

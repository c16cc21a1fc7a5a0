import type { Dialect } from "../../contract/dialect.ts";
import type { SiteChange, Blocked } from "../changes.ts";
import type { Desired } from "../desired.ts";
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

export interface LimitsInput {
  readonly desired: Pick<Desired, "site" | "pages" | "preview">;
  readonly dialect: Dialect;
  /** Whether the service has pages of this project. */
  readonly isPublished: boolean;
  /** Address of a published page, where it is known. */
  readonly pageUrl: (slug: string) => string | undefined;
  /** Addresses at which the first page was looked for, and was not shown. */
  readonly tried: readonly string[] | undefined;
}

const MOST_NAMED = 20;

/** What the host was found not to do, whatever is sent to it. */
export function planLimits(input: LimitsInput): readonly Blocked[] {
  const { desired, dialect, isPublished, pageUrl, tried = [] } = input;
  // The first page will show it.
  if (dialect.html === undefined && !isPublished) return [];
  const { homeSlug = "index" } = desired.site;
  const places = tried.length === 0 ? "" : ` (${tried.join(" and ")} do not show it)`;
  const limits: Blocked[] = [];
  if (pageUrl(homeSlug) === undefined) {
    limits.push({
      kind: "blocked",
      name: "pagesUrl",
      reason: `it is not known where this service shows pages${places}, so links between pages may lead nowhere`,
      hint: 'Set `pagesUrl` to the address of published pages, such as "https://x.example/{slug}". If pages are not public, run `imprint publish --accept` once.',
      counts: "unless accepted",
    });
  }
  const scripted = dialect.scripts === undefined ? [] : desired.pages.filter(({ hasScripts }) => hasScripts);
  if (scripted.length > 0) {
    const names = scripted.slice(0, MOST_NAMED).map(({ slug }) => slug);
    const more = scripted.length > names.length ? ` and ${scripted.length - names.length} more` : "";
    limits.push({
      kind: "blocked",
      name: "scripts",
      reason: `this service takes scripts out of pages: ${names.join(", ")}${more}`,
      hint: "What these pages do with scripts does not work there. Run `imprint publish --accept` once if they may do without.",
      counts: "unless accepted",
    });
  }
  return limits;
}

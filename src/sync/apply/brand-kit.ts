import { ImprintError } from "../../base/error.ts";
import type { BrandKit } from "../../client/api.ts";
import type { BrandKitBody } from "../../contract/operations/content.ts";
import { fillPlaceholders } from "../../html/placeholders.ts";
import type { ApplyContext } from "../apply.ts";
import { isSameBrandKit, type BrandKitChange, type Plan } from "../changes.ts";
import type { DesiredBrandKit } from "../desired.ts";
import type { Addresses } from "./assets.ts";
import { shownSite, siteBody } from "./site.ts";
import { attempt } from "../../base/outcome.ts";

interface BrandKitContext extends ApplyContext {
  readonly addresses: Addresses;
  readonly siteId: string | undefined;
}

/** Creates or changes the brand kit and attaches it to the site. */
export async function applyBrandKit(plan: Plan, context: BrandKitContext): Promise<void> {
  const change = plan.brandKit;
  if (change === undefined) return;
  if (change.kind === "blocked") {
    context.onOutcome?.({ resource: "brand kit", ...change, status: "skipped" });
    return;
  }
  const outcome = await attempt({ resource: "brand kit", ...change }, async () => {
    const kit = change.kind === "keep" ? change.known : await send(change, { ...context, plan });
    if (change.kind === "keep") context.records?.found("brandKits", kit);
    const hash = change.kind === "keep" ? context.store.ids.brandKit?.hash : change.desired.hash;
    await attach(kit, { ...context, plan, hash: hash ?? "" });
    return {};
  });
  context.onOutcome?.(outcome);
}

async function send(
  change: Extract<BrandKitChange, { kind: "create" | "update" }>,
  { api, addresses, plan, records }: BrandKitContext & { readonly plan: Plan },
): Promise<BrandKit> {
  const missing = plan.assets.filter(({ kind, asset: { hash } }) => kind === "create" && !addresses.has(hash));
  const lost = missing.filter(({ asset: { hash } }) => change.desired.assets.includes(hash));
  if (lost.length > 0) {
    const names = lost.map(({ name }) => name).join(", ");
    throw new ImprintError("ASSET_MISSING", `The brand kit uses files that could not be uploaded: ${names}.`, {
      hint: "Correct the failures of these files, then run again.",
    });
  }
  const body = fillFiles(change.desired, addresses);
  const kit =
    change.kind === "create"
      ? await api.brandKits.create(body)
      : await api.brandKits.update(change.known.id, body, { ifMatch: change.known.version });
  records?.wrote("brandKits", isSameBrandKit(kit, body) ? kit : undefined);
  return kit;
}

// A file that the library does not take is left out rather than stored with an address that shows nothing.
function fillFiles({ body, assets }: DesiredBrandKit, addresses: Addresses): BrandKitBody {
  const isStored = (hash: string) => addresses.get(hash)?.startsWith("data:") === false;
  const isMissing = (url: string) => assets.some((hash) => url.includes(hash) && !isStored(hash));
  const fill = (url: string) => fillPlaceholders(url, (hash) => addresses.get(hash) ?? "");
  const logos = body.logos?.filter(({ url }) => !isMissing(url)).map((logo) => ({ ...logo, url: fill(logo.url) }));
  const fonts = body.fonts?.map((font) => {
    const { url = null } = font;
    return { ...font, url: url === null || isMissing(url) ? null : fill(url) };
  });
  return { ...body, fonts, logos };
}

async function attach(
  kit: BrandKit,
  context: BrandKitContext & { readonly plan: Plan; readonly hash: string },
): Promise<void> {
  const { api, store, records, plan, siteId, hash } = context;
  const site = plan.site;
  const attachedTo = site?.kind === "keep" ? site.known.brandKitId : undefined;
  const isAttached = attachedTo === kit.id || (attachedTo === undefined && wasAttached(kit, context));
  if (site !== undefined && siteId !== undefined && !isAttached) {
    const wanted =
      site.kind === "keep" ? keptSite(site.known) : site.kind === "blocked" ? undefined : siteBody(site.desired);
    if (wanted !== undefined) {
      const body = { ...wanted, brandKitId: kit.id };
      const answer = await api.sites.update(siteId, body);
      records?.wrote("sites", shownSite(answer, body));
    }
  }
  store.rememberIds({ brandKit: { id: kit.id, hash, attachedTo: siteId } });
}

// A service that does not say which kit a site has (strict answers) is asked only once.
function wasAttached(kit: BrandKit, { store, plan, siteId }: BrandKitContext & { readonly plan: Plan }): boolean {
  const remembered = store.ids.brandKit;
  return plan.site?.kind === "keep" && remembered?.id === kit.id && remembered.attachedTo === siteId;
}

function keptSite(site: { readonly name?: string; readonly slug?: string; readonly homeSlug?: string }) {
  return { name: site.name ?? "Site", slug: site.slug, homeSlug: site.homeSlug };
}

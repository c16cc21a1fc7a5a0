import { describeDrift } from "../../brand/drift.ts";
import { isSameBrandKit, type BrandKitChange } from "../changes.ts";
import type { Desired, DesiredBrandKit } from "../desired.ts";
import type { Known } from "../known.ts";
import { siteNameOf } from "../asset-name.ts";
import { isSameHash } from "../lock.ts";
import type { PlanInput } from "../plan.ts";

export function planBrandKit({ desired, known, state, capabilities }: PlanInput): BrandKitChange | undefined {
  const wanted = desired.brandKit;
  if (wanted === undefined) return undefined;
  const { name } = wanted.body;
  const refusal = known.refused["brand kits"];
  if (refusal !== undefined) return { kind: "blocked", name, reason: refusal, counts: "never" };
  const kit = known.brandKit;
  if (kit === undefined && known.owner.isUncertain) {
    const reason = "the service does not show which of its brand kits this is";
    return { kind: "blocked", name, reason, hint: "Run `imprint adopt`.", counts: "never" };
  }
  if (kit === undefined) return { kind: "create", name, reason: "the service has no such brand kit", desired: wanted };
  const placed = withKnownAddresses(wanted, known.assets);
  const isMoved = hasMoved(wanted, { known, state });
  const isSent = isSameHash(state.brandKit?.hash, wanted.hash);
  const isHidden =
    state.brandKit === undefined && [kit.colors, kit.fonts, kit.logos].every(({ length }) => length === 0);
  if ((isSent && !isMoved) || isHidden || isSameBrandKit(kit, placed)) {
    return { kind: "keep", name, reason: "nothing changed", known: kit };
  }
  const what = isSent ? "its files have new addresses" : "colors, fonts or logos changed";
  const details = describeDrift(kit, placed, { nameOf: createFileNames({ desired, known }) });
  if (!capabilities.operations.has("brandKits.put")) {
    // The one before can't be deleted either: it stays in the account, and no site has it.
    const reason = `${what}; this service can't change a brand kit, so a new one takes the place of ${kit.id}`;
    return { kind: "create", name, reason, details, desired: wanted };
  }
  return { kind: "update", name, reason: what, details, desired: wanted, known: kit };
}

// The kit holds whole addresses, which a library that moves to another host makes wrong.
function hasMoved({ assets }: DesiredBrandKit, { known, state }: Pick<PlanInput, "known" | "state">): boolean {
  return assets.some((hash) => {
    const [before, after] = [state.assets[hash]?.url, known.assets.get(hash)?.url];
    return before !== undefined && after !== undefined && before !== after;
  });
}

function withKnownAddresses(wanted: DesiredBrandKit, assets: ReadonlyMap<string, { readonly url: string }>) {
  const place = <Part extends { readonly url?: string | null | undefined }>(part: Part): Part => {
    const hash = wanted.assets.find((candidate) => part.url?.includes(candidate) === true);
    return { ...part, url: (hash === undefined ? undefined : assets.get(hash)?.url) ?? part.url };
  };
  return { ...wanted.body, fonts: wanted.body.fonts?.map(place), logos: wanted.body.logos?.map(place) };
}

/** The name that a file has in the site, for its address in the library and for its placeholder. */
function createFileNames({ desired, known }: { readonly desired: Desired; readonly known: Known }) {
  return (url: string): string => {
    const own = [...desired.assets].find(([hash]) => url.includes(hash) || known.assets.get(hash)?.url === url);
    if (own !== undefined) return own[1].name;
    const last = URL.parse(url)?.pathname.split("/").at(-1) ?? url;
    return siteNameOf(last);
  };
}

import { describeDrift } from "../../brand/drift.ts";
import { isSameBrandKit } from "../changes.ts";
import type { BrandKitChange } from "../changes.ts";
import type { Desired, DesiredBrandKit } from "../desired.ts";
import type { Known } from "../known.ts";
import type { PlanInput } from "../plan.ts";

export function planBrandKit({ desired, known, state, capabilities }: PlanInput): BrandKitChange | undefined {
  const wanted = desired.brandKit;
  if (wanted === undefined) return undefined;
  const { name } = wanted.body;
  const kit = known.brandKit;
  if (kit === undefined) return { kind: "create", name, reason: "the service has no such brand kit", desired: wanted };
  const placed = withKnownAddresses(wanted, known.assets);
  const isMoved = hasMoved(wanted, { known, state });
  if ((state.brandKit?.hash === wanted.hash && !isMoved) || isSameBrandKit(kit, placed)) {
    return { kind: "keep", name, reason: "nothing changed", known: kit };
  }
  const what = state.brandKit?.hash === wanted.hash ? "its files have new addresses" : "colors, fonts or logos changed";
  const details = describeDrift(kit, placed, { nameOf: createFileNames({ desired, known }) });
  if (!capabilities.operations.has("brandKits.put")) {
    return {
      kind: "blocked",
      name,
      reason: `${what}, and this route set can't change a brand kit`,
      hint: "Change it in the service's dashboard, or give the kit another name to create a new one.",
      details,
    };
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
    return last.replace(/\.[0-9a-f]{16}(?=\.[a-z0-9]+$)/, "");
  };
}

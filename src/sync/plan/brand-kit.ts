import { isSameBrandKit } from "../changes.ts";
import type { BrandKitChange } from "../changes.ts";
import type { DesiredBrandKit } from "../desired.ts";
import type { PlanInput } from "../plan.ts";

export function planBrandKit({ desired, known, state, capabilities }: PlanInput): BrandKitChange | undefined {
  const wanted = desired.brandKit;
  if (wanted === undefined) return undefined;
  const { name } = wanted.body;
  const kit = known.brandKit;
  if (kit === undefined) return { kind: "create", name, reason: "the service has no such brand kit", desired: wanted };
  if (state.brandKit?.hash === wanted.hash || isSameBrandKit(kit, withKnownAddresses(wanted, known.assets))) {
    return { kind: "keep", name, reason: "nothing changed", known: kit };
  }
  if (!capabilities.operations.has("brandKits.put")) {
    return {
      kind: "blocked",
      name,
      reason: "colors, fonts or logos changed, and this route set can't change a brand kit",
      hint: "Change it in the service's dashboard, or give the kit another name to create a new one.",
    };
  }
  return { kind: "update", name, reason: "colors, fonts or logos changed", desired: wanted, known: kit };
}

function withKnownAddresses(wanted: DesiredBrandKit, assets: ReadonlyMap<string, { readonly url: string }>) {
  const logos = wanted.body.logos?.map((logo) => {
    const hash = wanted.assets.find((candidate) => logo.url.includes(candidate));
    return { ...logo, url: (hash === undefined ? undefined : assets.get(hash)?.url) ?? logo.url };
  });
  return { ...wanted.body, logos };
}

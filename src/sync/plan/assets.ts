import type { SiteAsset } from "../../site/model.ts";
import type { AssetChange } from "../changes.ts";
import type { PlanInput } from "../plan.ts";

export interface AssetsInput {
  readonly desired: Pick<PlanInput["desired"], "assets">;
  readonly known: Pick<PlanInput["known"], "assets">;
  readonly capabilities: PlanInput["capabilities"];
}

export function planAssets({ desired, known, capabilities }: AssetsInput): readonly AssetChange[] {
  return [...desired.assets.values()].map((asset) => {
    const present = known.assets.get(asset.hash);
    if (present !== undefined) {
      return { kind: "keep", name: asset.name, reason: "the library has it", asset, known: present };
    }
    const obstacle = obstacleFor(asset, capabilities.limits["maxAssetBytes"]);
    if (obstacle !== undefined) return { kind: "blocked", name: asset.name, reason: obstacle, asset };
    if (capabilities.assetTypes === "images" && !asset.contentType.startsWith("image/")) {
      return {
        kind: "blocked",
        name: asset.name,
        reason: `the library of this route set takes images only, not ${asset.contentType}`,
        asset,
      };
    }
    return { kind: "create", name: asset.name, reason: "the library does not have it", asset };
  });
}

// Only what is sent unchanged can be judged beforehand: an image may still become smaller.
function obstacleFor({ source, optimize }: SiteAsset, maxBytes: number | undefined): string | undefined {
  if (source.kind !== "file" || optimize !== "never" || maxBytes === undefined || source.bytes <= maxBytes) {
    return undefined;
  }
  return `it has ${source.bytes} bytes and the library takes at most ${maxBytes}`;
}

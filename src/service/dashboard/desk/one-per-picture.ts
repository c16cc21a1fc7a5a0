import type { Asset } from "../../store/assets.ts";
import { fileTitle } from "../parts/titles.ts";

// Astro names a picture's widths and formats `<name>.<hash>_<options>.<format>`; in the library, dots are hyphens.
const NAME = /^(?<picture>.+?)(?<options>(?<=-[\w-]{8})_[0-9A-Za-z]{4,8})?(?:\.\w+)?$/;

/** Leaves out the widths and formats of a picture other than the original, or else the widest. */
export function onePerPicture(assets: readonly Asset[]): readonly Asset[] {
  const groups = Map.groupBy(assets, (asset) => parseName(asset).picture);
  return [...groups.values()].flatMap((group) => (group.some(isVariant) ? findBest(group) : group));
}

function findBest(group: readonly Asset[]): readonly Asset[] {
  const originals = group.filter((asset) => !isVariant(asset));
  if (originals.length > 0) return originals;
  return group.toSorted((one, other) => (other.width ?? 0) - (one.width ?? 0)).slice(0, 1);
}

function isVariant(asset: Asset): boolean {
  return parseName(asset).options !== undefined;
}

function parseName(asset: Asset): { readonly picture: string; readonly options?: string } {
  const title = fileTitle(asset);
  const { picture = title, options } = NAME.exec(title)?.groups ?? {};
  return options === undefined ? { picture } : { picture, options };
}

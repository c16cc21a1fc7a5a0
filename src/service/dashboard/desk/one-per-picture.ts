import { fileTitle } from "../parts/titles.ts";

/** A picture of a site often has as many widths and formats. */
export const USUAL_VARIANTS = 12;

// Astro names a picture's widths and formats `<name>.<hash>_<options>.<format>`; in the library, dots are hyphens.
const NAME = /^(?<picture>.+?)(?<options>(?<=-[\w-]{8})_[0-9A-Za-z]{4,8})?(?:\.\w+)?$/;

interface Picture {
  readonly name: string;
  readonly width?: number | null;
}

/** Leaves out the widths and formats of a picture other than the original, or else the widest. */
export function onePerPicture<Found extends Picture>(files: readonly Found[]): readonly Found[] {
  const groups = Map.groupBy(files, (file) => parseName(file).picture);
  return [...groups.values()].flatMap((group) => (group.some(isVariant) ? findBest(group) : group));
}

function findBest<Found extends Picture>(group: readonly Found[]): readonly Found[] {
  const originals = group.filter((file) => !isVariant(file));
  if (originals.length > 0) return originals;
  return group.toSorted((one, other) => (other.width ?? 0) - (one.width ?? 0)).slice(0, 1);
}

function isVariant(file: Picture): boolean {
  return parseName(file).options !== undefined;
}

function parseName(file: Picture): { readonly picture: string; readonly options?: string } {
  const title = fileTitle(file);
  const { picture = title, options } = NAME.exec(title)?.groups ?? {};
  return options === undefined ? { picture } : { picture, options };
}

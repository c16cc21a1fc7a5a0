import type { BrandKitBody } from "../../../../contract/requests.ts";
import type { BrandKit } from "../../../store/brand-kits.ts";

/** A kit in the form in which the API takes it and everything that renders kits reads it. */
export function bodyOfKit({ name, colors, fonts, logos, sourceUrl }: BrandKit): BrandKitBody {
  return { name, colors: [...colors], fonts: [...fonts], logos: [...logos], sourceUrl };
}

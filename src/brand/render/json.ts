import type { BrandKitBody } from "../../contract/requests.ts";
import { readTokens } from "../tokens.ts";

/** The kit as the service has it, and the colors that are derived from it, by scheme. */
export function renderKitJson(kit: BrandKitBody): string {
  const { defaultScheme, schemes } = readTokens(kit);
  const derived = Object.fromEntries(
    schemes.map(({ scheme, colors }) => [
      scheme,
      colors.flatMap(({ role, hex, derivedFrom }) =>
        derivedFrom === undefined ? [] : [{ role, hex, from: derivedFrom }],
      ),
    ]),
  );
  return `${JSON.stringify({ ...kit, defaultScheme, derived }, undefined, 2)}\n`;
}

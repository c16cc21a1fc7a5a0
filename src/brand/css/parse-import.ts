import type { Condition, SheetImport } from "./style-sheet.ts";

const PATTERN = /^(?:url\(\s*)?(?:"([^"]*)"|'([^']*)'|([^"')\s]+))\s*\)?/i;

/**
 * Reads what stands behind `@import`. `layer` is `undefined` without a layer and empty for one without a name.
 */
export function parseImport(
  prelude: string,
): (Omit<SheetImport, "layer"> & { readonly layer: string | undefined }) | undefined {
  const match = PATTERN.exec(prelude);
  const address = match?.[1] ?? match?.[2] ?? match?.[3];
  if (match === null || address === undefined || address === "") return undefined;
  let rest = prelude.slice(match[0].length).trim();
  const conditions: Condition[] = [];
  let layer: string | undefined;

  const layerMatch = /^layer(?:\(\s*([^)]*?)\s*\))?(?=\s|$)/i.exec(rest);
  if (layerMatch !== null) {
    layer = layerMatch[1] ?? "";
    rest = rest.slice(layerMatch[0].length).trim();
  }
  const supports = /^supports\(((?:[^()]|\([^()]*\))*)\)/i.exec(rest);
  if (supports !== null) {
    conditions.push({ kind: "supports", text: `(${supports[1] ?? ""})` });
    rest = rest.slice(supports[0].length).trim();
  }
  if (rest !== "") conditions.push({ kind: "media", text: rest });
  return { address, conditions, layer };
}

import { closest, distance } from "fastest-levenshtein";

/** The known name that a misspelled one most likely means; `undefined` when none is near. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  if (known.length === 0) return undefined;
  const candidate = closest(name, known);
  return distance(name, candidate) <= Math.max(1, Math.floor(name.length / 3)) ? candidate : undefined;
}

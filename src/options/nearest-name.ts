import { closest, distance } from "fastest-levenshtein";

/** Finds the known name that is closest to a misspelled one; returns `undefined` if none is close. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  if (known.length === 0) return undefined;
  const candidate = closest(name, known);
  return distance(name, candidate) <= Math.max(1, Math.floor(name.length / 3)) ? candidate : undefined;
}

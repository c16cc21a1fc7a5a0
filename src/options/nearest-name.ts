import { closest, distance } from "fastest-levenshtein";

/** Finds the known name that is closest to a misspelled one; returns `undefined` if none is close. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  if (known.length === 0) return undefined;
  const candidate = closest(name, known);
  // Two swapped neighbors count as two changes.
  const least = isSwapped(name, candidate) ? 2 : 1;
  return distance(name, candidate) <= Math.max(least, Math.floor(name.length / 3)) ? candidate : undefined;
}

function isSwapped(name: string, other: string): boolean {
  const at = [...name].findIndex((letter, index) => letter !== other[index]);
  const swapped = name.slice(0, at) + name.slice(at + 1, at + 2) + name.slice(at, at + 1) + name.slice(at + 2);
  return at >= 0 && swapped === other;
}

import { closest, distance } from "fastest-levenshtein";

/** Finds the known name that is closest to a misspelled one; returns `undefined` if none is close. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  if (known.length === 0) return undefined;
  const candidate = closest(name, known);
  // Two swapped letters count as two changes.
  const least = sortLetters(name) === sortLetters(candidate) ? 2 : 1;
  return distance(name, candidate) <= Math.max(least, Math.floor(name.length / 3)) ? candidate : undefined;
}

function sortLetters(name: string): string {
  return [...name].toSorted().join("");
}

// The lines around two versions of the same place, for people to choose from.
export const YOURS = "<<<<<<< Yours";
export const MEANWHILE = ">>>>>>> Saved meanwhile";

/** Counts the places of a text that still contain two versions. One of the lines is enough: the other may be gone. */
export function countConflicts(text: string): number {
  const lines = text.split(/\r\n|\n|\r/);
  const count = (mark: string) => lines.filter((line) => line === mark).length;
  return Math.max(count(YOURS), count(MEANWHILE));
}

/** Says how many places of a text someone has to decide, and how: `2 places need your decision. …`. */
export function describeConflicts(conflicts: number): string {
  const places = conflicts === 1 ? "1 place needs" : `${conflicts} places need`;
  return `${places} your decision, because both changed the same lines. Keep what you want between <<<<<<< and >>>>>>>, delete these marks, then save.`;
}

/** Mixes two inks; shared by the workers and the page. */
export function mix(one: string, other: string): string {
  return `${one} with ${other}`;
}

/** `1 page`, `2 pages`; with a plural of its own, `2 entries`. */
export function pluralize(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`;
}

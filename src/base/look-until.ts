/** What was just written may take a moment until every part of a large service shows it. */
export const SHOWN_AFTER_MS: readonly number[] = [300, 1000, 3000];

export interface Looking<Seen> {
  /** A look that is on its way already. Default: the first one begins now. */
  readonly first?: Promise<Seen> | undefined;
  readonly isEnough: (seen: Seen) => boolean;
  /** How long to wait before each further look. */
  readonly pausesMs: readonly number[];
  readonly sleep: (ms: number) => Promise<void>;
}

/** Looks until it sees enough or the pauses are used up. Gives what it saw last. */
export async function lookUntil<Seen>(
  look: () => Promise<Seen>,
  { first, isEnough, pausesMs, sleep }: Looking<Seen>,
): Promise<Seen> {
  let seen = await (first ?? look());
  for (const pauseMs of pausesMs) {
    if (isEnough(seen)) break;
    await sleep(pauseMs);
    seen = await look();
  }
  return seen;
}

/** Pauses between reads: a large service may take a moment to show a write everywhere. */
export const SHOWN_AFTER_MS: readonly number[] = [300, 1000, 3000];

export interface Looking<Seen> {
  /** A first read that has already started. Default: starts it now. */
  readonly first?: Promise<Seen> | undefined;
  readonly isEnough: (seen: Seen) => boolean;
  /** How long to wait before each further read. */
  readonly pausesMs: readonly number[];
  readonly sleep: (ms: number) => Promise<void>;
}

/** Repeats a read until its result is enough or the pauses are used up. Returns the last result. */
export async function pollUntil<Seen>(
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

/** The service's time, which a test can move. */
export interface Clock {
  now(): Date;
  /** Moves the time by so many milliseconds from now on, beside earlier moves. */
  advance(ms: number): void;
  /** Undoes all moves. */
  reset(): void;
}

export function createClock(now: () => Date): Clock {
  let offsetMs = 0;
  return {
    now: () => (offsetMs === 0 ? now() : new Date(now().getTime() + offsetMs)),
    advance(ms) {
      offsetMs += ms;
    },
    reset() {
      offsetMs = 0;
    },
  };
}

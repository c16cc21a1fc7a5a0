/** A clock that can be set forward, as if time had passed. */
export interface PassingClock {
  now(): Date;
  pass(ms: number): void;
}

export function createClock(): PassingClock {
  let passedMs = 0;
  return {
    now: () => new Date(Date.now() + passedMs),
    pass: (ms) => void (passedMs += ms),
  };
}

/** Connection settings with which the pauses of a run set a clock forward instead of waiting. */
export function passing({ now, pass }: PassingClock) {
  return { now: () => now().getTime(), sleep: async (ms: number) => pass(ms) };
}

/** Lets only so many pieces of work run at a time; the others wait in the order in which they came. */
export interface Gate {
  run<Result>(work: () => Promise<Result>): Promise<Result>;
}

export function createGate(maxConcurrent: number): Gate {
  const waiting: (() => void)[] = [];
  let running = 0;

  return {
    async run(work) {
      if (running >= maxConcurrent) await new Promise<void>((resolve) => waiting.push(resolve));
      else running++;
      try {
        return await work();
      } finally {
        const next = waiting.shift();
        if (next === undefined) running--;
        else next();
      }
    },
  };
}

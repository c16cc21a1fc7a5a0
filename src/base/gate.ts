/** Limits how much work runs at a time; the rest waits in order of arrival. */
export interface Gate {
  /** @param weight share of the gate's capacity that the work takes, at most all of it. Default: 1 */
  run<Result>(work: () => Promise<Result>, weight?: number): Promise<Result>;
}

export function createGate(room: number): Gate {
  const waiting: { readonly weight: number; readonly start: () => void }[] = [];
  let free = room;

  function startNext(): void {
    for (let [next] = waiting; next !== undefined && next.weight <= free; [next] = waiting) {
      waiting.shift();
      free -= next.weight;
      next.start();
    }
  }

  return {
    async run(work, asked = 1) {
      const weight = Math.min(asked, room);
      await new Promise<void>((start) => {
        waiting.push({ weight, start });
        startNext();
      });
      try {
        return await work();
      } finally {
        free += weight;
        startNext();
      }
    },
  };
}

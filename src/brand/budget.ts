/** Thrown when a page or a style sheet exceeds its work budget. */
export class BudgetSpent extends Error {
  override readonly name = "BudgetSpent";
}

/** Counts work. Steps rather than milliseconds are counted, so that the same site always gives the same findings. */
export interface Budget {
  /** Consumes steps. Throws `BudgetSpent` if not enough are left. */
  spend(steps: number): void;
  /** Whether more steps were requested than available. */
  isSpent(): boolean;
}

export function createBudget(steps: number): Budget {
  let left = steps;
  return {
    spend(amount) {
      left -= amount;
      if (left < 0) throw new BudgetSpent(`The work exceeds ${steps} steps.`);
    },
    isSpent: () => left < 0,
  };
}

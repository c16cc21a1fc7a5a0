/** Thrown when the work on a page or a style sheet goes beyond what is granted to it. */
export class BudgetSpent extends Error {
  override readonly name = "BudgetSpent";
}

/** Counts work. Steps are counted, not milliseconds, so that the same site always gives the same findings. */
export interface Budget {
  /** Takes steps from what is left; throws `BudgetSpent` when there are not as many. */
  spend(steps: number): void;
  /** Whether more was asked for than there was. */
  isSpent(): boolean;
}

export function createBudget(steps: number): Budget {
  let left = steps;
  return {
    spend(amount) {
      left -= amount;
      if (left < 0) throw new BudgetSpent(`The work goes beyond ${steps} steps.`);
    },
    isSpent: () => left < 0,
  };
}

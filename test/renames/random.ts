import { seededRandom } from "../client/seeded-random.ts";

/** Reproducible random choices from a seed. */
export interface Random {
  chance(share: number): boolean;
  /** Returns an integer from `from` to `to`, both inclusive. */
  between(from: number, to: number): number;
  pick<Item>(items: readonly Item[]): Item;
  /** Returns `count` different items, in any order. */
  some<Item>(items: readonly Item[], count: number): readonly Item[];
}

export function createRandom(seed: number): Random {
  const next = seededRandom(seed);
  const between = (from: number, to: number) => from + Math.floor(next() * (to - from + 1));
  return {
    chance: (share) => next() < share,
    between,
    pick(items) {
      const item = items[between(0, items.length - 1)];
      if (item === undefined) throw new Error("There is nothing to pick from.");
      return item;
    },
    some: (items, count) =>
      items
        .map((item) => ({ item, order: next() }))
        .toSorted((one, other) => one.order - other.order)
        .slice(0, count)
        .map(({ item }) => item),
  };
}

// Derives a history from a seed.

import { HOSTS, type Host } from "./hosts.ts";
import { MAIN_MOVES } from "./moves.ts";
import type { Git, State } from "./project.ts";
import { createRandom, type Random } from "./random.ts";

export const STATES: readonly State[] = ["kept", "lock lost", "both lost"];
export const KINDS = Object.keys(MAIN_MOVES).filter((name): name is Kind => name in MAIN_MOVES);
export type Kind = keyof typeof MAIN_MOVES;

export interface Plan {
  readonly seed: number;
  readonly host: Host;
  readonly state: State;
  readonly kind: Kind;
  readonly git: Git;
  /** Whether changes of a step are committed before or after the next run. */
  readonly commits: "before" | "after";
  /** Clones of the project, and whether they share the lock file. */
  readonly clones: "one" | "two that share the lock file" | "two with a lock file each";
  readonly prunes: boolean;
  /** Whether the editor decides about posts on hold. */
  readonly answersHolds: boolean;
  readonly hasPostsByHand: boolean;
  readonly blogBy: "id" | "slug";
  /** Whether the state is lost before or after the run that first sees the move. */
  readonly losesBefore: boolean;
  readonly random: Random;
}

const CELLS = HOSTS.length * STATES.length * KINDS.length;
// Coprime to the number of cells, so that the first histories cover all hosts, states and kinds.
const STRIDE = 257;

/** Covers every cell of the table once before repeating any. */
export function planHistory(seed: number): Plan {
  const cell = (seed * STRIDE) % CELLS;
  const host = at(HOSTS, cell % HOSTS.length);
  const state = at(STATES, Math.floor(cell / HOSTS.length) % STATES.length);
  const kind = at(KINDS, Math.floor(cell / HOSTS.length / STATES.length));
  const random = createRandom(seed);
  return {
    ...{ seed, host, state, kind, random },
    git: random.pick(["no repository", "no repository", "git mv", "plain mv"] as const),
    commits: random.chance(0.7) ? "before" : "after",
    clones: random.pick([
      ...(["one", "one", "one", "one", "one", "one"] as const),
      ...(["two that share the lock file", "two with a lock file each"] as const),
    ]),
    prunes: random.chance(0.2),
    answersHolds: random.chance(0.34),
    hasPostsByHand: random.chance(0.35),
    blogBy: host.routeSet === "b" || random.chance(0.5) ? "id" : "slug",
    losesBefore: random.chance(0.75),
  };
}

function at<Item>(items: readonly Item[], index: number): Item {
  const item = items[index];
  if (item === undefined) throw new Error(`There is no item ${index}.`);
  return item;
}

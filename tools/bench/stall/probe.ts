import { Pool, type Dispatcher } from "undici";

/** A target of repeated requests. */
export interface Target {
  readonly name: string;
  readonly origin: string;
  readonly request: (number: number) => Pick<Dispatcher.RequestOptions, "path" | "headers">;
}

/** Response times, in milliseconds from when they were due. */
export interface Measured {
  readonly times: Readonly<Record<string, readonly number[]>>;
  /** Lateness of the probe itself. */
  readonly lateness: readonly number[];
  readonly failures: number;
}

const EVERY_MS = 10;
const CONNECTIONS = 100;

/**
 * Requests the targets in turns, one every ten milliseconds, until the work is done, without waiting for responses: a
 * probe that waits for each response doesn't notice stalls.
 */
export async function probeWhile(targets: readonly Target[], work: () => Promise<unknown>): Promise<Measured> {
  const pools = new Map(targets.map(({ origin }) => [origin, new Pool(origin, { connections: CONNECTIONS })]));
  const times = Object.fromEntries(targets.map(({ name }) => [name, [] as number[]]));
  const lateness: number[] = [];
  const waiting = new Set<Promise<void>>();
  let failures = 0;

  async function ask({ name, origin, request }: Target, { number, due }: { number: number; due: number }) {
    try {
      const answer = await pools.get(origin)?.request({ method: "GET", ...request(number) });
      await answer?.body.dump();
      if (answer === undefined || answer.statusCode >= 300) throw new Error(`${name}: ${answer?.statusCode}`);
      times[name]?.push(performance.now() - due);
    } catch (error) {
      if (failures++ === 0) console.log("  first failure:", error);
    }
  }

  const started = performance.now();
  let isOver = false;
  const working = work().finally(() => {
    isOver = true;
  });
  for (let number = 0; !isOver; number++) {
    const due = started + number * EVERY_MS;
    const wait = due - performance.now();
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    lateness.push(Math.max(0, performance.now() - due));
    const target = targets[number % targets.length];
    if (target === undefined) break;
    const asking = ask(target, { number, due }).finally(() => waiting.delete(asking));
    waiting.add(asking);
  }
  await Promise.all(waiting);
  await Promise.all([...pools.values()].map((pool) => pool.close()));
  await working;
  return { times, lateness, failures };
}

export const COLUMNS = ["p50", "p99", "p99.9", "max"] as const;

/** Returns the 50th, 99th and 99.9th percentile, and the maximum. */
export function percentiles(values: readonly number[]): readonly number[] {
  const sorted = values.toSorted((one, other) => one - other);
  return [0.5, 0.99, 0.999, 1].map(
    (part) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0,
  );
}

import { randomBytes } from "node:crypto";
import type { RandomBytes } from "../resources/context.ts";

const POOL_BYTES = 4096;

/** The time of the system. */
export function systemNow(): Date {
  return new Date();
}

/** Random bytes of the system, fetched many at a time: every request needs a few for its id. */
export function createRandomBytes(): RandomBytes {
  let pool = randomBytes(POOL_BYTES);
  let used = 0;
  return (size) => {
    if (size > POOL_BYTES) return randomBytes(size);
    if (used + size > POOL_BYTES) {
      pool = randomBytes(POOL_BYTES);
      used = 0;
    }
    used += size;
    return pool.subarray(used - size, used);
  };
}

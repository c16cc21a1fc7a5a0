import { randomBytes } from "node:crypto";
import type { RandomBytes } from "../resources/context.ts";
import { base62, RANDOM_BYTES } from "../../contract/api-key.ts";

const POOL_BYTES = 4096;

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

const START_LENGTH = 12;
const COUNT_LENGTH = 10;

/**
 * Makes ids for requests. They have to be different and need not be secret, so they count on from a random start, which
 * tells processes apart.
 */
export function createRequestIds(random: RandomBytes): () => string {
  const start = base62(random(RANDOM_BYTES)).slice(-START_LENGTH);
  let count = 0;
  return () => `req_${start}${(count++).toString(36).padStart(COUNT_LENGTH, "0")}`;
}

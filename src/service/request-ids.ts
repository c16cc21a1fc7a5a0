import { base62, RANDOM_BYTES } from "../contract/api-key.ts";
import type { RandomBytes } from "./resources/ids.ts";

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

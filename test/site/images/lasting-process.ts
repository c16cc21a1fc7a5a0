import { createShrinkProcess as create } from "../../../src/site/images/shrink-process.ts";

/** The process of a worker's images stays between tests, which would otherwise start one each, for half a second. */
export function createShrinkProcess(): ReturnType<typeof create> {
  return create({ idleMs: 600_000 });
}

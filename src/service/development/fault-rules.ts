import * as z from "zod";

const faultSchema = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("refuse") }),
  z.strictObject({ kind: z.literal("reset"), when: z.enum(["before-commit", "after-commit"]) }),
  z.strictObject({ kind: z.literal("delay"), ms: z.number().nonnegative() }),
  z.strictObject({
    kind: z.literal("status"),
    status: z.int().min(200).max(599),
    retryAfterSeconds: z.number().nonnegative().optional(),
    body: z.string().optional(),
  }),
  z.strictObject({ kind: z.literal("truncate") }),
  z.strictObject({ kind: z.literal("malformed-json") }),
  z.strictObject({ kind: z.literal("redirect"), location: z.string(), status: z.int().min(300).max(399).optional() }),
  z.strictObject({ kind: z.literal("hang") }),
]);

const ruleSchema = z.strictObject({
  method: z.string().optional(),
  path: z.string().optional(),
  operation: z.string().optional(),
  skip: z.int().nonnegative().optional(),
  count: z.int().positive().optional(),
  fault: faultSchema,
});

export const faultPlanSchema = z.strictObject({
  rules: z.array(ruleSchema).max(1000).optional(),
  latencyMs: z.number().nonnegative().optional(),
  maxConcurrent: z.int().positive().optional(),
});

/**
 * What goes wrong with a request.
 *
 * - `refuse`: the connection is closed before anything is read.
 * - `reset`: the connection is closed instead of an answer, before the change is stored or after it.
 * - `delay`: the answer comes so many milliseconds later.
 * - `status`: this status is answered and nothing is done.
 * - `truncate`: all is done, and the connection is closed in the middle of the answer's body.
 * - `malformed-json`: all is done, and the answer's body is no JSON.
 * - `redirect`: a redirect is answered (302 by default) and nothing is done.
 * - `hang`: no answer ever comes.
 */
export type Fault = z.infer<typeof faultSchema>;

/** A fault and the requests that it meets. A rule without conditions meets every request. */
export interface FaultRule {
  readonly method?: string | undefined;
  /** The whole path (`/a/api/pages/home`), or its start followed by `*`. */
  readonly path?: string | undefined;
  /** Name of an operation of the contract, such as `pages.put`. */
  readonly operation?: string | undefined;
  /** How many matching requests go unharmed first. */
  readonly skip?: number | undefined;
  /**
   * How many matching requests fail.
   *
   * @default Infinity
   */
  readonly count?: number | undefined;
  readonly fault: Fault;
}

/** Everything that goes wrong from now on; replaces what was ordered before. */
export interface FaultPlan {
  readonly rules?: readonly FaultRule[] | undefined;
  /** Every answer comes so many milliseconds later. */
  readonly latencyMs?: number | undefined;
  /** Requests beyond so many at a time get 503 with `Retry-After: 1`. */
  readonly maxConcurrent?: number | undefined;
}

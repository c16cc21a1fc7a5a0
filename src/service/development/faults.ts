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

interface FaultTarget {
  readonly method: string;
  readonly path: string;
  readonly operation: string | undefined;
}

export interface Faults {
  /** Whether a rule was ordered, used up or not. */
  readonly areRuled: boolean;
  readonly latencyMs: number;
  readonly maxConcurrent: number;
  /** Replaces everything that was ordered. */
  set(plan: FaultPlan): void;
  /**
   * The fault of the first rule that meets this request and is not used up; counts it as used. Control routes are
   * spared, else nobody could end the faults.
   */
  take(target: FaultTarget): Fault | undefined;
}

interface CountedRule {
  readonly rule: FaultRule;
  met: number;
}

export function createFaults(): Faults {
  let rules: readonly CountedRule[] = [];
  let current: FaultPlan = {};
  return {
    get areRuled() {
      return rules.length > 0;
    },
    get latencyMs() {
      return current.latencyMs ?? 0;
    },
    get maxConcurrent() {
      return current.maxConcurrent ?? Number.POSITIVE_INFINITY;
    },
    set(plan) {
      current = plan;
      rules = (plan.rules ?? []).map((rule) => ({ rule, met: 0 }));
    },
    take(target) {
      if (isControlPath(target.path)) return undefined;
      for (const counted of rules) {
        if (!isMet(counted.rule, target)) continue;
        const turn = counted.met++ - (counted.rule.skip ?? 0);
        if (turn >= 0 && turn < (counted.rule.count ?? Number.POSITIVE_INFINITY)) return counted.rule.fault;
      }
      return undefined;
    },
  };
}

function isMet({ method, path, operation }: FaultRule, target: FaultTarget): boolean {
  return (
    (method === undefined || method.toUpperCase() === target.method) &&
    (path === undefined || isPathMet(path, target.path)) &&
    (operation === undefined || operation === target.operation)
  );
}

function isPathMet(pattern: string, path: string): boolean {
  return pattern.endsWith("*") ? path.startsWith(pattern.slice(0, -1)) : path === pattern;
}

/** Whether a path leads to a route that only tests use, such as `/api/_reset`. */
export function isControlPath(path: string): boolean {
  return /^(?:\/[ab])?\/api\/_/.test(path);
}

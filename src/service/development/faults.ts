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
 * A fault of a request.
 *
 * - `refuse`: closes the connection before reading the request.
 * - `reset`: closes the connection instead of responding, before or after the change is stored.
 * - `delay`: delays the response by this many milliseconds.
 * - `status`: responds with this status and does nothing.
 * - `truncate`: handles the request, and closes the connection in the middle of the response body.
 * - `malformed-json`: handles the request, and responds with malformed JSON.
 * - `redirect`: responds with a redirect (302 by default) and does nothing.
 * - `hang`: never responds.
 */
export type Fault = z.infer<typeof faultSchema>;

/** A fault and the requests that it affects. A rule without conditions affects every request. */
export interface FaultRule {
  readonly method?: string | undefined;
  /** The full path (`/a/api/pages/home`), or a prefix followed by `*`. */
  readonly path?: string | undefined;
  /** Name of an operation of the contract, such as `pages.put`. */
  readonly operation?: string | undefined;
  /** Number of matching requests to skip first. */
  readonly skip?: number | undefined;
  /** Number of matching requests that fail. @default Infinity */
  readonly count?: number | undefined;
  readonly fault: Fault;
}

/** All faults from now on; replaces earlier ones. */
export interface FaultPlan {
  readonly rules?: readonly FaultRule[] | undefined;
  /** Delays every response by this many milliseconds. */
  readonly latencyMs?: number | undefined;
  /** Maximum number of concurrent requests; others get 503 with `Retry-After: 1`. */
  readonly maxConcurrent?: number | undefined;
}

interface FaultTarget {
  readonly method: string;
  readonly path: string;
  readonly operation: string | undefined;
}

export interface Faults {
  /** Whether any rules are set, even if exhausted. */
  readonly areRuled: boolean;
  readonly latencyMs: number;
  readonly maxConcurrent: number;
  /** Replaces all faults. */
  set(plan: FaultPlan): void;
  /**
   * Returns the fault of the first matching rule that isn't exhausted, and counts its use. Control routes are exempt:
   * otherwise, no one could end the faults.
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

/** Whether a path belongs to a route for tests, such as `/api/_reset`. */
export function isControlPath(path: string): boolean {
  return /^(?:\/[ab])?\/api\/_/.test(path);
}

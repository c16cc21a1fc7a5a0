import { isControlPath } from "./control-path.ts";
import type { Fault, FaultPlan, FaultRule } from "./fault-rules.ts";

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
      if (rules.length === 0 || isControlPath(target.path)) return undefined;
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

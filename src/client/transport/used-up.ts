import type { Method } from "../../contract/route.ts";

/** Which methods a service refuses for longer than a call waits, as it does once a monthly quota is used up. */
export interface UsedUp {
  /** Call for every response other than 429: no quota is used up. */
  answered(method: Method): void;
  startCall(method: Method): CallUnderQuota;
}

export interface CallUnderQuota {
  /** Whether another call got nothing but 429 for as long as it waits, without any other response since. */
  readonly isUsedUp: boolean;
  /** Call if the call ends with 429 after it waited. */
  endedThrottled(): void;
}

export function createUsedUp(): UsedUp {
  const answers = new Map<Method, number>();
  const usedUp = new Set<Method>();
  return {
    answered(method) {
      answers.set(method, (answers.get(method) ?? 0) + 1);
      usedUp.delete(method);
    },
    startCall(method) {
      const answersBefore = answers.get(method);
      return {
        get isUsedUp() {
          return usedUp.has(method);
        },
        endedThrottled() {
          if (answers.get(method) === answersBefore) usedUp.add(method);
        },
      };
    },
  };
}

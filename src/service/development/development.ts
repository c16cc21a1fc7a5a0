import type { Hono } from "hono";
import type { Core } from "../host/core.ts";
import type { Host } from "../host/handler.ts";
import type { ServiceEnv } from "../http/request-context.ts";
import { registerControlRoutes } from "./control-routes.ts";
import { createFaults, isControlPath, type Faults } from "./faults.ts";
import { injectFaults } from "./inject-faults.ts";
import { createRequestLog, type RequestLog } from "./request-log.ts";

/** What tests order of a service. It is loaded with `dev` only. */
export interface Development {
  readonly clock: Clock;
  readonly faults: Faults;
  readonly requestLog: RequestLog;
  /** Whether a path leads to a route that only tests use, such as `/api/_reset`. */
  isControlPath(path: string): boolean;
  /** Puts a host behind the faults that are ordered. */
  wrap(host: Host): Host;
  registerRoutes(app: Hono<ServiceEnv>, core: Core): void;
  /** Forgets the requests, the faults and the moves of the clock. */
  reset(): void;
}

/** The service's time, which a test can move. */
export interface Clock {
  now(): Date;
  /** Moves the time by so many milliseconds from now on, beside earlier moves. */
  advance(ms: number): void;
  /** Undoes all moves. */
  reset(): void;
}

/** @param now the time without any moves */
export function createDevelopment(now: () => Date): Development {
  const clock = createClock(now);
  const faults = createFaults();
  const requestLog = createRequestLog();
  const development: Development = {
    clock,
    faults,
    requestLog,
    isControlPath,
    wrap: (host) => injectFaults(host, faults),
    registerRoutes: (app, core) => registerControlRoutes(app, core, development),
    reset() {
      faults.set({});
      requestLog.clear();
      clock.reset();
    },
  };
  return development;
}

function createClock(now: () => Date): Clock {
  let offsetMs = 0;
  return {
    now: () => new Date(now().getTime() + offsetMs),
    advance(ms) {
      offsetMs += ms;
    },
    reset() {
      offsetMs = 0;
    },
  };
}

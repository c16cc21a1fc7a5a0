import type { Hono } from "hono";
import type { Core } from "../host/core.ts";
import type { Host } from "../host/handler.ts";
import type { ServiceEnv } from "../http/request-context.ts";
import { registerControlRoutes } from "./control-routes.ts";
import { createFaults, isControlPath, type Faults } from "./faults.ts";
import { injectFaults } from "./inject-faults.ts";
import { createRequestLog, type RequestLog } from "./request-log.ts";

/** Controls for tests. Loaded with `dev` only. */
export interface Development {
  readonly clock: Clock;
  readonly faults: Faults;
  readonly requestLog: RequestLog;
  /** Whether a path belongs to a route for tests, such as `/api/_reset`. */
  isControlPath(path: string): boolean;
  /** Wraps a host to inject the configured faults. */
  wrap(host: Host): Host;
  registerRoutes(app: Hono<ServiceEnv>, core: Core): void;
  /** Clears the request log and faults, and resets the clock. */
  reset(): void;
}

/** The service's clock, which tests can move. */
export interface Clock {
  now(): Date;
  /** Advances the clock, in addition to earlier calls. */
  advance(ms: number): void;
  /** Returns to the real time. */
  reset(): void;
}

/** @param now the real time */
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

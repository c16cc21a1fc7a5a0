import { ImprintError, messageOf } from "../base/error.ts";
import { failureOf } from "./transport/outcome.ts";

// A service whose database is full or read-only still responds to reads. Each write is repeated and looked up, so a
// large site would send thousands of requests to a service that is down.

const MOST_FAILURES = 12;

/** Stops writes to a service that has failed on all of the last ones. */
export interface Outage {
  /** Sends a write. Throws `SERVICE_DOWN` in its place if the service fails on every write. */
  send<Result>(area: string, write: () => Promise<Result>): Promise<Result>;
}

export function createOutage(baseUrl: string): Outage {
  let failures = 0;
  // A service that fails only on files can still be sent pages.
  const areas = new Set<string>();
  let down: ImprintError | undefined;

  function note(area: string, error: unknown): void {
    const { status } = failureOf(error) ?? {};
    if (status === undefined) return;
    // A full library (507) accepts other writes.
    if (status < 500 || status === 507) return reset();
    failures += 1;
    areas.add(area);
    if (failures < MOST_FAILURES || areas.size < 2) return;
    down = new ImprintError(
      "SERVICE_DOWN",
      `${baseUrl} failed on ${failures} writes in a row. Nothing else was sent. ${messageOf(error)}`,
    );
  }

  function reset(): void {
    failures = 0;
    areas.clear();
  }

  return {
    async send(area, write) {
      if (down !== undefined) throw down;
      try {
        const result = await write();
        reset();
        return result;
      } catch (error) {
        note(area, error);
        throw error;
      }
    },
  };
}

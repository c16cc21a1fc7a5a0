import { sql } from "kysely";
import { messageOf } from "../../base/error.ts";
import { sha256 } from "../../base/hash.ts";
import type { Logger } from "../../base/log.ts";
import { RESTORE_HINT, type Readiness } from "../../contract/readiness.ts";
import type { Blobs } from "../store/blobs.ts";
import type { Damage } from "../store/damage.ts";
import { findDelayedMail } from "../store/mails.ts";
import type { Database } from "../store/tables.ts";

/** Whether the service is able to work. */
export interface Health {
  /** Responds to `GET /readyz`: 200 if ready for requests, otherwise 503. Reveals nothing confidential. */
  answer(): Promise<Response>;
  /** Reports from now on that the service accepts no more requests. */
  drain(): void;
}

export interface HealthOptions {
  readonly database: Database;
  readonly blobs: Blobs;
  readonly damage: Damage;
  /** Whether to report delayed mail. */
  readonly sendsMail?: boolean;
  readonly logger: Logger;
}

// Rewriting an existing file only touches it; it is swept with other unreferenced files.
const PROBE = new TextEncoder().encode("imprint");
const PROBE_HASH = sha256(PROBE);

export function createHealth({ database, blobs, damage, sendsMail = false, logger }: HealthOptions): Health {
  let isDraining = false;
  let running: Promise<Checks> | undefined;

  async function check(name: string, work: () => Promise<unknown>): Promise<"ok" | "failed"> {
    try {
      await work();
      return "ok";
    } catch (error) {
      logger.error(`Not ready: the ${name} failed: ${messageOf(error)}`, { event: "health" });
      return "failed";
    }
  }

  async function checkAll(): Promise<Checks> {
    const [databaseState, files] = await Promise.all([
      // Reads the file, unlike `select 1`.
      check("database", () => sql`select 1 from account limit 1`.execute(database)),
      check("file store", () => blobs.write(PROBE_HASH, PROBE)),
    ]);
    const checks = { database: damage.found() === undefined ? databaseState : ("damaged" as const), files };
    return sendsMail && databaseState === "ok" ? { ...checks, mail: await checkMail() } : checks;
  }

  // The service can still handle requests if a mail server is down.
  async function checkMail(): Promise<"ok" | "delayed"> {
    return (await findDelayedMail(database)) === undefined ? "ok" : "delayed";
  }

  return {
    async answer() {
      if (isDraining) return respond({ status: "shutting-down" });
      // Anyone may request this at any rate, so concurrent requests share one check.
      running ??= checkAll().finally(() => {
        running = undefined;
      });
      const checks = await running;
      if (checks.database === "damaged") return respond({ status: "damaged", fix: RESTORE_HINT, checks });
      const isReady = checks.database === "ok" && checks.files === "ok";
      return respond({ status: isReady ? "ready" : "not-ready", checks });
    },
    drain() {
      isDraining = true;
    },
  };
}

type Checks = NonNullable<Readiness["checks"]>;

function respond(readiness: Readiness): Response {
  const isReady = readiness.status === "ready";
  return Response.json(readiness, {
    status: isReady ? 200 : 503,
    headers: { "Cache-Control": "no-store", ...(!isReady && { "Retry-After": "1" }) },
  });
}

import { messageOf } from "../../base/error.ts";
import type { Logger } from "../../base/log.ts";
import { RESTORE_HINT } from "../../contract/readiness.ts";

/** Known damage to a database file. The process remembers it until it exits. */
export interface Damage {
  /** The first damage found; `undefined` if none. */
  found(): string | undefined;
  note(finding: string): void;
}

// SQLITE_CORRUPT and SQLITE_NOTADB
const DAMAGE_CODES: ReadonlySet<number> = new Set([11, 26]);

/** Whether an SQLite result code reports a corrupt file. */
export function isDamageCode(code: number | undefined): boolean {
  return code !== undefined && DAMAGE_CODES.has(code);
}

export const NO_DAMAGE: Damage = { found: () => undefined, note() {} };

/** Remembers and reports the first damage only, and then calls `refuseWrites`. */
export function createDamage(logger: Logger, refuseWrites: () => void): Damage {
  let found: string | undefined;
  return {
    found: () => found,
    note(finding) {
      if (found !== undefined) return;
      found = finding;
      logger.error(`The database is damaged: ${finding}. Writes are disabled. ${RESTORE_HINT}`, {
        event: "damage",
      });
      try {
        refuseWrites();
      } catch (error) {
        logger.error(`Writes can't be disabled: ${messageOf(error)}`, { event: "damage" });
      }
    },
  };
}

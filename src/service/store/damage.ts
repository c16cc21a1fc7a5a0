import { messageOf } from "../../base/error.ts";
import type { Logger } from "../../base/log.ts";
import { RESTORE_HINT } from "../../contract/readiness.ts";

/** What is known of damage to the bytes of a database. The process remembers it until it ends. */
export interface Damage {
  /** What was found first; `undefined` while nothing was. */
  found(): string | undefined;
  note(finding: string): void;
}

// SQLITE_CORRUPT and SQLITE_NOTADB
const DAMAGE_CODES: ReadonlySet<number> = new Set([11, 26]);

/** Whether a result code of SQLite says that the bytes of the file are wrong. */
export function isDamageCode(code: number | undefined): boolean {
  return code !== undefined && DAMAGE_CODES.has(code);
}

export const NO_DAMAGE: Damage = { found: () => undefined, note() {} };

/** Remembers the first damage and reports it once; `refuseWrites` is called then. */
export function createDamage(logger: Logger, refuseWrites: () => void): Damage {
  let found: string | undefined;
  return {
    found: () => found,
    note(finding) {
      if (found !== undefined) return;
      found = finding;
      logger.error(`The database is damaged: ${finding}. Nothing more is written. ${RESTORE_HINT}`, {
        event: "damage",
      });
      try {
        refuseWrites();
      } catch (error) {
        logger.error(`Writes can't be refused: ${messageOf(error)}`, { event: "damage" });
      }
    },
  };
}

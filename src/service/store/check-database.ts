import { createProgram } from "../../disk/program.ts";
import type { Damage } from "./damage.ts";

// A check reads the whole file, which takes seconds per gigabyte, so it runs in its own process.

/** Looks for damage to a database that no statement has encountered. */
export interface DatabaseCheck {
  /** The previous process ended without closing the database. */
  readonly isDueNow: boolean;
  /** Reads the whole database and records any damage. Throws when the signal aborts. */
  run(signal: AbortSignal): Promise<void>;
}

export interface CheckOrder {
  /** Path of the database. */
  readonly file: string;
}

const IDLE_MS = 1000;

// The compiler rewrites imports, but not file names in strings.
const PROGRAM = new URL(`./check-program.${import.meta.url.endsWith(".ts") ? "ts" : "js"}`, import.meta.url);

export function createDatabaseCheck(
  file: string,
  { damage, isDueNow }: { readonly damage: Damage; readonly isDueNow: boolean },
): DatabaseCheck {
  return {
    isDueNow,
    async run(signal) {
      // Returns a description of the damage, or `undefined`.
      const program = createProgram<CheckOrder, string | undefined>(PROGRAM, { idleMs: IDLE_MS });
      const end = () => void program.end();
      signal.addEventListener("abort", end, { once: true });
      try {
        signal.throwIfAborted();
        const finding = await program.run({ file });
        if (finding !== undefined) damage.note(finding);
      } finally {
        signal.removeEventListener("abort", end);
        await program.end();
      }
    },
  };
}

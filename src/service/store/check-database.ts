import { createProgram } from "../../disk/program.ts";
import type { Damage } from "./damage.ts";

// A check reads the whole file, which takes seconds for each gigabyte, so a process of its own does it.

/** Looks for damage to a database that no statement has met. */
export interface DatabaseCheck {
  /** The process before ended without closing the database. */
  readonly isDueNow: boolean;
  /** Reads everything and notes what is damaged; throws when the signal aborts. */
  run(signal: AbortSignal): Promise<void>;
}

export interface CheckOrder {
  /** Path of the database. */
  readonly file: string;
}

const IDLE_MS = 1000;

// A name in a text is not rewritten by the compiler as an import is.
const PROGRAM = new URL(`./check-program.${import.meta.url.endsWith(".ts") ? "ts" : "js"}`, import.meta.url);

export function createDatabaseCheck(
  file: string,
  { damage, isDueNow }: { readonly damage: Damage; readonly isDueNow: boolean },
): DatabaseCheck {
  return {
    isDueNow,
    async run(signal) {
      // What is found, or `undefined`.
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

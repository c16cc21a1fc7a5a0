import type { ImprintError } from "../../base/error.ts";

/** One thing that a run depends on, and how it was found. */
export interface Check {
  /** Stable word for programs: `api-key`. */
  readonly id: string;
  /** What people call it: `API key`. */
  readonly name: string;
  /** `warning`: publishing works, with a loss that the finding names. `bad`: it does not work. */
  readonly status: "good" | "warning" | "bad";
  readonly finding: string;
  /** What to do about it. */
  readonly remedy?: string;
}

export function good(name: string, finding: string): Check {
  return { id: idOf(name), name, status: "good", finding };
}

export function warning(name: string, finding: string, remedy: string): Check {
  return { id: idOf(name), name, status: "warning", finding, remedy };
}

/** A check that failed with an error, whose hint is the remedy. */
export function bad(name: string, error: Pick<ImprintError, "message" | "hint">): Check {
  return { id: idOf(name), name, status: "bad", finding: error.message, remedy: error.hint };
}

function idOf(name: string): string {
  return name.toLowerCase().replaceAll(" ", "-");
}

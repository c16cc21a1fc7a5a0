import { pluralize } from "../../base/pluralize.ts";
import { ImprintError } from "../../base/error.ts";
import { wrapText } from "../terminal.ts";
import type { Paint } from "../../sync/report/render-text.ts";

/** One thing that a run depends on, and its status. */
export interface Check {
  /** Stable name for programs: `api-key`. */
  readonly id: string;
  /** Display name: `API key`. */
  readonly name: string;
  /** `warning`: publishing works, with the limitation in the finding. `bad`: it doesn't work. */
  readonly status: "good" | "warning" | "bad";
  readonly finding: string;
  /** How to fix it. */
  readonly remedy?: string;
}

export function good(name: string, finding: string): Check {
  return { id: idOf(name), name, status: "good", finding };
}

export function warning(name: string, finding: string, remedy: string): Check {
  return { id: idOf(name), name, status: "warning", finding, remedy };
}

/** A check that failed with an error, whose hint is the remedy. */
export function bad(
  name: string,
  { message, hint, location }: Pick<ImprintError, "message" | "hint"> & Partial<Pick<ImprintError, "location">>,
): Check {
  const finding = location === undefined ? message : `${location.file}: ${message}`;
  return { id: idOf(name), name, status: "bad", finding, remedy: hint };
}

/** Carries out a check; a failure is its finding. */
export async function checked<Result>(name: string, work: () => Promise<Result> | Result): Promise<Result | Check> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ImprintError)) throw error;
    return bad(name, error);
  }
}

function idOf(name: string): string {
  return name.toLowerCase().replaceAll(" ", "-");
}

const SIGNS = { good: "✓", warning: "!", bad: "✗" } as const;
const STYLES = { good: "good", warning: "warn", bad: "bad" } as const;
const NAME_WIDTH = 12;
const INDENT = " ".repeat(NAME_WIDTH + 4);

export function renderChecks(
  checks: readonly Check[],
  { paint, columns }: { readonly paint: Paint; readonly columns: number },
): string {
  const width = Math.max(Math.min(columns, 100) - INDENT.length, 30);
  const rows = checks.map(({ name, status, finding, remedy }, index) => {
    const sign = paint(STYLES[status], SIGNS[status]);
    const [first = "", ...rest] = wrapText(finding, width);
    const isSaid = remedy === undefined || checks[index - 1]?.remedy === remedy;
    const remedies = isSaid ? [] : wrapText(remedy, width).map((line) => paint("dim", line));
    const head = `  ${sign} ${paint("strong", name.padEnd(NAME_WIDTH))}${first}`;
    return [head, ...[...rest, ...remedies].map((line) => `${INDENT}${line}`)].join("\n");
  });
  return `${rows.join("\n")}\n\n${renderVerdict(checks, paint)}\n`;
}

function renderVerdict(checks: readonly Check[], paint: Paint): string {
  const bad = checks.filter(({ status }) => status === "bad").length;
  const warnings = checks.filter(({ status }) => status === "warning").length;
  if (bad > 0) return paint("bad", `${pluralize(bad, "problem")} to fix before you can publish.`);
  if (warnings > 0)
    return paint("warn", `Nothing was found that prevents a publish. ${pluralize(warnings, "warning")} to review.`);
  return paint("good", "You can publish.");
}

import { ImprintError, messageOf } from "../../src/base/error.ts";
import type { Report } from "../../src/publish.ts";
import { describeService } from "./world.ts";
import type { Setting } from "./world.ts";
import type { FaultRow } from "./table.ts";

/** How a run that something happened to has ended. */
export type Verdict =
  | { readonly kind: "unharmed" }
  /** It said what failed, and the next run put it right. */
  | { readonly kind: "told" }
  | { readonly kind: "wrong"; readonly why: string };

export interface Trial {
  /** The run that something happens to. */
  readonly disturbed: () => Promise<Report>;
  /** Ends what happened. */
  readonly calm: () => Promise<void>;
  /** The next run. */
  readonly again: () => Promise<Report>;
}

/** The service must be as after an undisturbed run: at once, or after words about what failed and one more run. */
export async function judgeTrial(setting: Setting, { disturbed, calm, again }: Trial): Promise<Verdict> {
  const first = await endingOf(disturbed());
  await calm();
  if (isDone(first)) {
    const held = await describeService(setting.service);
    return held === setting.undisturbed
      ? { kind: "unharmed" }
      : wrong(`reported as done, and it is not: ${firstDifference(setting.undisturbed, held)}`);
  }
  if (!isClear(first)) return wrong(`fails without words: ${wordsOf(first)}`);
  const second = await endingOf(again());
  if (!isDone(second)) return wrong(`after "${wordsOf(first)}" the next run says "${wordsOf(second)}"`);
  const held = await describeService(setting.service);
  return held === setting.undisturbed
    ? { kind: "told" }
    : wrong(`after "${wordsOf(first)}" the next run leaves ${firstDifference(setting.undisturbed, held)}`);
}

/** One row out of the verdicts of its places. */
export function sumUp(name: string, verdicts: readonly (Verdict & { readonly place: string })[]): FaultRow {
  const count = (kind: Verdict["kind"]) => verdicts.filter((verdict) => verdict.kind === kind).length;
  return {
    name,
    cell: `${count("unharmed")} + ${count("told")}`,
    wrong: verdicts.flatMap((verdict) => (verdict.kind === "wrong" ? [`${verdict.place}: ${verdict.why}`] : [])),
  };
}

type Ending =
  | { readonly kind: "report"; readonly report: Report }
  | { readonly kind: "error"; readonly error: ImprintError }
  | { readonly kind: "crash"; readonly reason: unknown };

async function endingOf(work: Promise<Report>): Promise<Ending> {
  try {
    return { kind: "report", report: await work };
  } catch (error) {
    return error instanceof ImprintError ? { kind: "error", error } : { kind: "crash", reason: error };
  }
}

function isDone(ending: Ending): boolean {
  return ending.kind === "report" && ending.report.exitCode === 0 && failuresOf(ending.report).length === 0;
}

function failuresOf({ entries }: Report) {
  return entries.filter(({ kind, error }) => kind === "failed" || kind === "blocked" || error !== undefined);
}

function isClear(ending: Ending): boolean {
  if (ending.kind === "error") return ending.error.message !== "" && ending.error.hint !== "";
  if (ending.kind === "crash") return false;
  const failures = failuresOf(ending.report);
  return failures.length > 0 && failures.every((entry) => (entry.error?.message ?? entry.reason) !== "");
}

function wordsOf(ending: Ending): string {
  if (ending.kind === "error") return ending.error.message;
  if (ending.kind === "crash") return `crash: ${messageOf(ending.reason)}`;
  return failuresOf(ending.report)
    .map(({ resource, name, reason, error }) => `${resource} ${name}: ${error?.message ?? reason}`)
    .join("; ");
}

function firstDifference(expected: string, actual: string): string {
  const [wanted, held] = [expected.split("\n"), actual.split("\n")];
  const lacks = wanted.filter((line) => !held.includes(line)).map((line) => `- ${line.slice(0, 150)}`);
  const has = held.filter((line) => !wanted.includes(line)).map((line) => `+ ${line.slice(0, 150)}`);
  return [...lacks, ...has, `${held.length - wanted.length} lines more`].slice(0, 3).join(" | ");
}

function wrong(why: string): Verdict {
  return { kind: "wrong", why };
}

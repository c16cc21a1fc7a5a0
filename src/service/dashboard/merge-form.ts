import { isJsonObject, parseJson } from "../../base/json.ts";
import { ProblemError } from "../http/problem.ts";
import type { FormValues } from "./forms.ts";

// Records without versions: a form carries the values that it was shown with.

const BEFORE = "before";

/** Adds what a form needs to find out whether somebody else changed its record meanwhile. */
export function withBefore(values: FormValues): FormValues {
  return values["version"] === undefined ? { ...values, [BEFORE]: JSON.stringify(values) } : values;
}

/** The parts of a form's values that say what it is based on. */
export function basisOf({ version, before }: FormValues): FormValues {
  return { ...(version === undefined ? {} : { version }), ...(before === undefined ? {} : { before }) };
}

/** The values of a form, merged with what was saved since it was shown. */
export interface MergedForm {
  readonly values: FormValues;
  /** Throws `version_mismatch` if somebody else changed a field that this user changed, too. */
  check(): void;
}

/** Takes the saved values of all fields that the user didn't change. */
export function mergeForm(typed: FormValues, saved: FormValues): MergedForm {
  const before = readBefore(typed[BEFORE]);
  if (before === undefined) return { values: typed, check: () => {} };
  const merged = { ...typed };
  let isOvertaken = false;
  for (const name of new Set([...Object.keys(before), ...Object.keys(saved)])) {
    const [mine, was, now] = [typed[name] ?? "", before[name] ?? "", saved[name] ?? ""];
    if (now === was) continue;
    if (mine !== was) isOvertaken ||= mine !== now;
    else if (saved[name] === undefined) delete merged[name];
    else merged[name] = now;
  }
  return {
    values: merged,
    check() {
      if (isOvertaken) throw new ProblemError("version_mismatch");
    },
  };
}

function readBefore(text: string | undefined): FormValues | undefined {
  const before = text === undefined ? undefined : parseJson(text);
  if (!isJsonObject(before)) return undefined;
  return Object.fromEntries(Object.entries(before).map(([name, value]) => [name, String(value)]));
}

import { PROBLEMS } from "../../contract/problems.ts";
import type { ProblemError } from "../http/problem.ts";

/** What the fields of a form hold when it is shown, and what is wrong with them. */
export interface FormState {
  readonly values: Readonly<Record<string, string>>;
  /** What somebody else has saved since the form was shown. */
  readonly saved?: Readonly<Record<string, string>>;
  /** Sentences by the name of the field. */
  readonly errors: Readonly<Record<string, string>>;
  /** What is wrong with all of it. */
  readonly problem?: string | undefined;
  /** HTTP status of the page that shows the form; 200 unless a rule refused what it said. */
  readonly status: number;
}

export function freshForm(values: FormState["values"] = {}): FormState {
  return { values, errors: {}, status: 200 };
}

/** The form as it is shown once more: with all that was typed, and what a rule said about it. */
export function refusedForm(values: FormState["values"], problem: ProblemError): FormState {
  const { detail, errors = [] } = problem.details;
  const only = errors.length === 1 ? detail : undefined;
  const said = errors.map((error) => [error.pointer.split("/")[2] ?? "", only ?? sentence(error.detail)] as const);
  const placed = said.filter(([name]) => Object.hasOwn(values, name));
  const whole = placed.length === 0 ? (detail ?? said[0]?.[1] ?? PROBLEMS[problem.code].title) : undefined;
  return { values, errors: Object.fromEntries(placed), problem: whole, status: PROBLEMS[problem.code].status };
}

// The API says "is taken" beside a pointer; beside a field that reads as a sentence.
function sentence(detail: string): string {
  const text = /^(?:is|has|names|must|may|holds) /.test(detail) ? `This ${detail}` : detail;
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

/**
 * A form whose record somebody else has changed meanwhile: what was typed stays, beside each field stands what was
 * saved, and saving once more replaces it. `saved` holds the version, too.
 */
export function overtakenForm({ values, status }: FormState, saved: FormState["values"]): FormState {
  return {
    values: { ...values, version: saved["version"] ?? "" },
    saved,
    errors: {},
    status,
    problem: "This was changed meanwhile. Below is what you typed; saving once more replaces the newer state.",
  };
}

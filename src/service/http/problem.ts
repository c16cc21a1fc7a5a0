import { PROBLEMS, type ProblemCode } from "../../contract/problems.ts";
import * as z from "zod";

/** Details of a problem besides its code. Must not contain server paths, SQL or keys. */
export interface ProblemDetails {
  /** A full sentence about this occurrence. */
  readonly detail?: string;
  readonly errors?: readonly { readonly pointer: string; readonly detail: string }[];
  /** Additional members of the problem, such as `version` or `existing`. */
  readonly members?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
}

/** A request that violates a rule of the service; it becomes an `application/problem+json` response. */
export class ProblemError extends Error {
  override readonly name = "ProblemError";
  readonly code: ProblemCode;
  readonly details: ProblemDetails;

  constructor(code: ProblemCode, details: ProblemDetails = {}) {
    super(details.detail ?? PROBLEMS[code].title, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    this.details = details;
  }
}

interface PointerError {
  readonly pointer: string;
  readonly detail: string;
}

/** Lists schema errors with a JSON Pointer to each. */
export function pointerErrors(error: z.ZodError, root: "/body" | "/query"): readonly PointerError[] {
  return error.issues.slice(0, 50).flatMap((issue) => {
    if (issue.code === "unrecognized_keys") {
      return issue.keys.map((key) => ({ pointer: pointerTo(root, [...issue.path, key]), detail: "is not known" }));
    }
    return [{ pointer: pointerTo(root, issue.path), detail: issue.message }];
  });
}

function pointerTo(root: string, path: readonly PropertyKey[]): string {
  return path.reduce<string>(
    (pointer, step) => `${pointer}/${String(step).replaceAll("~", "~0").replaceAll("/", "~1")}`,
    root,
  );
}

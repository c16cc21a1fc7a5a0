import { PROBLEMS, type ProblemCode } from "../../contract/problems.ts";

/** What a problem tells beside its code. Nothing of it may name a file of the server, an SQL statement or a key. */
export interface ProblemDetails {
  /** One full sentence about this occurrence. */
  readonly detail?: string;
  readonly errors?: readonly { readonly pointer: string; readonly detail: string }[];
  /** Further members of the problem, such as `version` or `existing`. */
  readonly members?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
}

/** A rule of the service that a request broke; it becomes an `application/problem+json` answer. */
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

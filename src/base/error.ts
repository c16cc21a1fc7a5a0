import { ERRORS, type ErrorCode } from "./error-table.ts";

/** Where an error was found: a file on disk, with a 1-based line and column when they are known. */
export interface ErrorLocation {
  readonly file: string;
  readonly line?: number;
  readonly column?: number;
}

export interface ImprintErrorOptions {
  readonly cause?: unknown;
  readonly location?: ErrorLocation;
  /** Replaces the general remedy of the code with one that knows the case at hand. */
  readonly hint?: string;
}

/**
 * The one error class that users meet.
 *
 * `code` is permanent and listed in `docs/errors.md`; `message` says what happened to what; `hint` says what to do
 * next. No message ever contains a key or a token.
 */
export class ImprintError extends Error {
  override readonly name = "ImprintError";
  readonly code: ErrorCode;
  /** One sentence that holds for every error of this code. */
  readonly title: string;
  readonly hint: string;
  readonly location: ErrorLocation | undefined;

  constructor(code: ErrorCode, message: string, options: ImprintErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.title = ERRORS[code].title;
    this.hint = options.hint ?? ERRORS[code].fix;
    this.location = options.location;
  }
}

/** The message of anything that was thrown, for use inside another message. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** The system error code (`ENOSPC`, `ECONNREFUSED`, …) of a thrown value or of one of its causes. */
export function systemCodeOf(thrown: unknown): string | undefined {
  for (let error = thrown; error instanceof Error; error = error.cause) {
    if ("code" in error && typeof error.code === "string" && !(error instanceof ImprintError)) return error.code;
  }
  return undefined;
}

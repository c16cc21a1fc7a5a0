/** Why something was not fetched: it must not be (`refused`), or it could not be. */
export type FetchErrorKind = "refused" | "too-large" | "timeout" | "failed";

/** A request to another host that came to nothing. The message is one sentence that its sender may read. */
export class FetchError extends Error {
  override readonly name = "FetchError";
  readonly kind: FetchErrorKind;

  constructor(kind: FetchErrorKind, message: string, options: { readonly cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.kind = kind;
  }
}
